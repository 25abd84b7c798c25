"""How long the parts of memory take in a database with so many people."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from app.bootstrap import Stores
from app.clock import Clock
from app.config import Settings
from app.domain.candidate import Extracted
from app.domain.conversation import Message
from app.domain.outcome import OutcomeKind
from app.domain.profile import Profile
from app.memory.draft import Draft, Limits
from app.memory.rule_extractor import extract
from app.services.memory_commit import MemoryCommit
from app.services.memory_loader import MemoryLoader
from app.services.metrics import Metrics
from tests.bench.subjects import RECORDS, a_message, ground_of
from tests.bench.talk import NAMES, PLACES, messages
from tests.bench.timings import Timings
from tests.bench.turn import BenchFailed

WARM_UP = 10


@dataclass(frozen=True)
class MemoryTimes:
    """Times at one number of subjects. `touch` and `read` are two ways to a profile."""

    extract: Timings
    commit: Timings
    load: Timings
    read: Timings
    block: Timings


async def times(stores: Stores, settings: Settings, subjects: int, repeats: int) -> MemoryTimes:
    """Each part `repeats` times, on people taken at random; extraction ten times as often."""
    chance, clock = random.Random(subjects), Clock()
    now = clock.now()
    found = MemoryTimes(Timings(), Timings(), Timings(), Timings(), Timings())
    for words in islice(messages(subjects), 10 * repeats + WARM_UP):
        message = a_message(1, words, now)
        with found.extract.one():
            extract(message, now=now, zone="UTC")
    commit = MemoryCommit(stores.profiles, Limits(), clock, Metrics())
    loader = MemoryLoader(settings.user_memory_budget_chars, settings.default_timezone)
    for number in range(repeats + WARM_UP):
        subject = chance.randint(1, subjects)
        with found.read.one():
            profile = await stores.profiles.read(subject)
        if profile is None:
            raise BenchFailed(f"subject {subject} is not in the database")
        await _add(commit, profile, subjects * 10_000 + number, now, found.commit)
        with found.load.one():
            touched = await stores.profiles.touch(subject, now)
            assert touched is not None
            with found.block.one():
                loader.block(touched, now)
    for timings in (found.extract, found.commit, found.load, found.read, found.block):
        del timings.taken[:WARM_UP]
    return found


async def _add(
    commit: MemoryCommit, profile: Profile, number: int, now: datetime, timings: Timings
) -> None:
    """Commit one record that is not there yet."""
    place, name = PLACES[number % len(PLACES)], NAMES[number % len(NAMES)]
    words = f"Please remember that the blue box {number} from {place} is with {name}"
    message: Message = a_message(RECORDS * 100 + number, words, now)
    extracted = Extracted(candidates=extract(message, now=now, zone="UTC").candidates)

    def plan(draft: Draft) -> None:
        draft.take(extracted, ground_of(draft.profile, message, now))

    with timings.one():
        committed = await commit.apply(profile, plan)
    kinds = [outcome.kind for outcome in committed.outcomes]
    if kinds != [OutcomeKind.ADD]:
        raise BenchFailed(f"a commit was to add one record and came to {kinds}")
