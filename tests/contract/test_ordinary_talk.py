"""Two hundred ordinary turns: what is worth keeping is kept, hardly anything has to be asked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from app.database.connection import Database
from app.domain.conversation import Message
from app.domain.job import JobKind
from app.domain.outcome import Reason
from app.domain.proposal import Proposal
from app.domain.record import Record
from app.domain.reply import PromptMessage
from app.prompts.reply_schema import JsonSchema
from tests.contract.conftest import MakeDatabase
from tests.contract.test_memory_jobs import KEY, ME, House, Model
from tests.doubles.reader import Known, Reader
from tests.heldout.score import rows_of

TURNS = 200
READ_EVERY = 12
MOST_PROPOSALS = 2
TALKS = ("a01", "a02", "a03", "a04", "a05", "a06", "a07")
"""Seven held-out conversations of twenty lines each, as one person's."""
OTHERS = (
    "What do you know about me so far?",
    "Good morning!",
    "Can you help me plan a dinner for six?",
    "ok",
    "Which day is the choir again?",
    "Thanks, you're kind",
    "Tell me something about owls",
    "Do you think I should buy a tent?",
    "haha",
    "Good night",
    "What is my bike called?",
    "My friend says her cat can open doors",
    "It rained the whole day here",
    "I'm tired",
    "If I had a horse I'd call it Juno",
    "Remind me what we said about packing",
    "Sounds good",
    "How do I get wine out of a shirt?",
    "No idea, you choose",
    "See you tomorrow",
)


def fact(sentence: str, says: str = "", slot: str = "", value: str = "", **row: Any) -> Known:
    """A sensible row of a model: who it is about, in which respect, and what."""
    subject, _, predicate = slot.partition("/")
    named = {"subject": subject, "predicate": predicate, "value": value} if slot else {}
    return Known(sentence, says, {**named, **row})


PLAIN = (
    fact("I live in Leeds", slot="self/lives_in", value="Leeds"),
    fact("My sister is called Vera", slot="sister/name", value="Vera"),
    fact("Vera lives in Bergen", slot="sister/lives_in", value="Bergen"),
    fact("My birthday is 3 May", slot="self/birthday", value="3 May"),
    fact("My favourite colour is green", slot="self/favorite_color", value="green"),
    fact("My bike is called Blitz", slot="bike/name", value="Blitz"),
    fact("My gran is called Hanna", slot="gran/name", value="Hanna"),
    fact("I play the cello in a small orchestra", category="hobby"),
    fact("My neighbour Otto has my spare key"),
    fact("I speak Polish with my gran"),
    fact("I drive an old yellow van"),
    fact("My dentist is called Mr Webb", slot="dentist/name", value="Mr Webb"),
    fact("On Thursdays I sing in a choir", category="hobby"),
    fact("I used to work in a bakery"),
    fact("My shoe size is 41", slot="self/shoe_size", value="41"),
    fact("I take the stairs because lifts scare me", durable_category="decision_reason"),
    fact("My favourite soup is borscht", slot="self/favorite_soup", value="borscht"),
    fact("I have a nephew, Emil", slot="nephew/name", value="Emil"),
    fact("I can't stand truffle oil", category="preference"),
    fact("I grew up by the sea in Whitby", slot="self/grew_up_in", value="Whitby"),
)


def correction(sentence: str, says: str, slot: str, value: str, replaces: str) -> Known:
    """A row that says a note was wrong, or is so no longer."""
    return fact(sentence, says, slot, value, correction=True, replaces=replaces)


CORRECTIONS = (
    correction(
        "my birthday is 4 May, not 3 May", "My birthday is 4 May", "self/birthday", "4 May", "3 May"
    ),
    correction(
        "My favourite colour is blue now",
        "My favourite colour is blue",
        "self/favorite_color",
        "blue",
        "green",
    ),
    correction("it's Flash, not Blitz", "My bike is called Flash", "bike/name", "Flash", "Blitz"),
    correction("Vera lives in Oslo now", "Vera lives in Oslo", "sister/lives_in", "Oslo", "Bergen"),
    correction("I live in York now", "I live in York", "self/lives_in", "York", "Leeds"),
    correction("my shoe size is 42", "My shoe size is 42", "self/shoe_size", "42", "41"),
    correction(
        "My dentist is called Mrs Lund now",
        "My dentist is called Mrs Lund",
        "dentist/name",
        "Mrs Lund",
        "Mr Webb",
    ),
    correction(
        "I start on 6 September, not 4 September",
        "I start on 6 September at the city library",
        "",
        "",
        "4 September",
    ),
)
START = fact("I start on 4 September at the city library", kind="event")
IN_TALKS = (
    fact("I work in the finance team at a paper mill", slot="self/works_at", value="paper mill"),
    fact("I can't do horror, never could", "I can't do horror films"),
    fact("Tomas is my husband", slot="husband/name", value="Tomas"),
    fact("I'm allergic to peanuts", sensitivity="sensitive", category="health"),
    fact("my brother's name is Callum", slot="brother/name", value="Callum"),
    fact("we're thinking of the coast path, first week of August", kind="event", confidence=0.7),
    START,
    fact("she's a nurse so her shifts are all over the place", "My mum is a nurse"),
    fact("my mum's dog is called Biscuit", slot="mum/dog/name", value="Biscuit"),
    fact("Priya is my team lead", slot="team lead/name", value="Priya"),
    fact("I have two cats", slot="self/pets", value="two cats", multi=True),
    fact("the fat one's name is Dumpling", "One of my cats is called Dumpling"),
    fact("the judge is called Miso", "My other cat is called Miso"),
    fact("I'm so done with oats", "I don't want oats", confidence=0.5),
    fact("my head is killing me now", sensitivity="sensitive", **{"class": "temporary_state"}),
    fact("my day was awful from start to finish", **{"class": "non_memory"}),
)
GUESS = fact(
    "I literally cried in the supermarket",
    "I cried in the supermarket, maybe I feel low",
    epistemic="inferred",
    sensitivity="sensitive",
    confidence=0.7,
)
REFUSED = IN_TALKS[-3:-2] + IN_TALKS[-1:]
OUTDATED = tuple(PLAIN[number] for number in (0, 2, 3, 4, 5, 11, 14))
KEPT = tuple(k for k in (*IN_TALKS, *PLAIN, *CORRECTIONS) if k not in (*REFUSED, *OUTDATED, START))
MOST_BESIDES = 3
"""Records besides those, which the rules make of the held-out lines."""
MODEL = (*IN_TALKS, *PLAIN, *CORRECTIONS, GUESS)
"""What a model that does its work finds in the turns; one of its rows is a delicate guess."""


class ReadingModel(Model):
    """A model that reads what it is given."""

    def __init__(self, known: Sequence[Known]) -> None:
        super().__init__()
        self.reader = Reader(known)

    async def complete(
        self, call: str, prompt: Sequence[PromptMessage], schema: JsonSchema | None = None
    ) -> str:
        return self.reader.answer(prompt[-1].content)


class Talk:
    """A person's turns: the rules read each before the reply, the model each twelve after it."""

    def __init__(self, db: Database, known: Sequence[Known], **settings: Any) -> None:
        self.house = House(db, ReadingModel(known), **settings)
        self.turns = 0

    async def turn(self, text: str) -> None:
        house, now = self.house, self.house.clock.now()
        self.turns += 1
        await house.stores.profiles.touch(ME, now)
        message = Message(
            seq=0, role="user", content=text, created_at=now, sender_id=ME, update_id=self.turns
        )
        grant, conversation = await house.stores.conversations.begin(
            KEY, "me", now, [message], [self.turns]
        )
        await house.engine.turns.listen(await house.profile(), conversation)
        reply = Message(seq=0, role="assistant", content="I see.", created_at=now, origin="bot")
        await house.stores.conversations.commit(
            grant,
            messages=[reply],
            answered_through=conversation.next_seq - 1,
            handled=[self.turns],
        )
        if self.turns % READ_EVERY == 0:
            await self.read()

    async def read(self) -> None:
        """Let the model read on, and carry out what is owed."""
        await self.house.handlers[JobKind.EXTRACT](await self.house.ask())
        profile = await self.house.profile()
        await self.house.stores.effects.carry_out(profile.pending_effects)
        await self.house.stores.profiles.paid(ME, [e.id for e in profile.pending_effects])

    async def proposals(self) -> list[Proposal]:
        return await self.house.stores.proposals.pending(ME)

    async def records(self) -> list[Record]:
        return list((await self.house.profile()).records)


def lines() -> list[str]:
    """The turns in order: after some held-out conversations, some of the person's other talk."""
    heard = [row["text"] for row in rows_of("dialogue") if row["talk"] in TALKS]
    plain = [known.sentence for known in PLAIN]
    again = [plain[number] for number in (1, 6, 7, 8, 9, 10, 12, 13, 15, 16, 18, 19)]
    more = [*chain.from_iterable(zip(plain, OTHERS, strict=True))]
    corrected = [f"Actually, {known.sentence}" for known in CORRECTIONS]
    return [*heard[:60], *more[:20], *heard[60:100], *more[20:], *heard[100:], *corrected, *again]


def text_of(known: Known) -> str:
    """What the record of a row says, whoever read it."""
    return (known.says or known.sentence).casefold()


async def played(talk: Talk, said: Sequence[str]) -> list[Proposal]:
    """What waits for the person after these turns."""
    for text in said:
        await talk.turn(text)
    await talk.read()
    return await talk.proposals()


@pytest.fixture
async def db(make_database: MakeDatabase) -> Database:
    return await make_database("mongomock")


async def test_in_two_hundred_ordinary_turns_two_things_at_most_have_to_be_asked(
    db: Database,
) -> None:
    talk, said = Talk(db, MODEL), lines()
    assert len(said) == TURNS
    proposals = await played(talk, said)
    assert len(proposals) <= MOST_PROPOSALS
    assert [proposal.candidate.text for proposal in proposals] == [GUESS.says]
    texts = [record.text.casefold() for record in await talk.records()]
    assert {text_of(known) for known in KEPT} <= set(texts)
    assert {text_of(known) for known in (*REFUSED, *OUTDATED)}.isdisjoint(texts)
    assert len(set(texts)) == len(texts) <= len(KEPT) + MOST_BESIDES


async def test_a_delicate_guess_is_put_aside_for_the_person_and_not_kept(db: Database) -> None:
    talk = Talk(db, [GUESS])
    (proposal,) = await played(talk, [GUESS.sentence])
    assert proposal.candidate.text == GUESS.says
    assert proposal.reasons[0] is Reason.SENSITIVE_CONTENT_REQUIRES_REVIEW
    assert await talk.records() == []


async def test_under_a_policy_that_asks_more_the_same_turns_are_too_much(
    db: Database, tmp_path: Path
) -> None:
    strict = tmp_path / "review_policy.toml"
    strict.write_text('minimum_confidence = 0.95\nlow_confidence = "quarantine"\n')
    talk = Talk(db, MODEL, review_policy_file=strict)
    assert len(await played(talk, lines())) > MOST_PROPOSALS
