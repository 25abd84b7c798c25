"""A database with many people in it: profiles with memory, conversations, a handful of them due."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from app.clock import EPOCH
from app.database import conversations, profiles
from app.database.connection import Database
from app.database.models import message_document, plain
from app.domain.candidate import Extracted
from app.domain.conversation import Message
from app.domain.profile import Profile
from app.memory.draft import Draft
from app.memory.ground import Ground
from app.memory.rule_extractor import extract
from tests.bench.talk import statements

RECORDS = 25
TEMPLATES = 20
WINDOW = 20
BATCH = 500
Document = dict[str, Any]


def ground_of(profile: Profile, message: Message, now: datetime) -> Ground:
    """The ground on which one message of a person's own conversation is judged."""
    return Ground(
        subject=profile.subject,
        epoch=profile.epoch,
        conversation=str(profile.subject),
        messages={message.seq: message},
        now=now,
    )


def a_message(seq: int, words: str, now: datetime) -> Message:
    """A message that a person typed."""
    return Message(seq=seq, role="user", content=words, created_at=now, update_id=seq)


def a_profile(subject: int, now: datetime) -> Profile:
    """A profile with RECORDS records, each from a statement, by one commit each."""
    profile = Profile(subject=subject, created_at=now, last_interaction_at=now)
    for seq, words in enumerate(statements(subject), start=1):
        draft = Draft(profile, now)
        message = a_message(seq, words, now)
        found = extract(message, now=now, zone="UTC")
        draft.take(Extracted(candidates=found.candidates), ground_of(profile, message, now))
        profile = draft.seal().model_copy(update={"pending_effects": ()})
        if profile.item_count >= RECORDS:
            break
    return profile.model_copy(update={"consolidate_from": now})


async def fill(db: Database, first: int, beyond: int, now: datetime) -> None:
    """People with the ids `first` to `beyond` - 1: each a profile and a conversation, none due."""
    models = [plain(a_profile(number, now)) for number in range(TEMPLATES)]
    words = list(islice(statements(0), WINDOW))
    window = [message_document(a_message(0, said, now)) for said in words]

    def rows() -> Iterator[tuple[Document, Document]]:
        for subject in range(first, beyond):
            profile = {**models[subject % TEMPLATES], "_id": subject}
            del profile["subject"]
            yield profile, {**_conversation(subject, now), "messages": window}

    await _insert(db, rows())


async def fill_thinly(db: Database, count: int, due: Iterable[int], now: datetime) -> None:
    """`count` people with next to nothing but their clocks; those in `due` are due for both scans.

    The others have been consolidated just now, and are to be extracted in an hour.
    """
    waiting = frozenset(due)

    def rows() -> Iterator[tuple[Document, Document]]:
        for subject in range(1, count + 1):
            is_due = subject in waiting
            profile: Document = {"_id": subject, "generation": 9, "epoch": 0, "created_at": now}
            profile["consolidate_from"] = EPOCH if is_due else now
            conversation = _conversation(subject, now)
            at = now - timedelta(minutes=1) if is_due else now + timedelta(hours=1)
            yield profile, {**conversation, "extract_due_at": at}

    await _insert(db, rows())


def _conversation(subject: int, now: datetime) -> Document:
    return {
        "_id": str(subject),
        "version": 1,
        "first_seq": 1,
        "answered_through": WINDOW,
        "extracted_through": WINDOW,
        "extract_due_at": now + timedelta(hours=1),
    }


async def _insert(db: Database, rows: Iterator[tuple[Document, Document]]) -> None:
    while batch := list(islice(rows, BATCH)):
        await db[profiles.COLLECTION].insert_many([profile for profile, _ in batch])
        await db[conversations.COLLECTION].insert_many([talk for _, talk in batch])
