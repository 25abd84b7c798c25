"""What can happen: each act is a value, so that it can happen alone, in between, or half."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from hypothesis import strategies as st

from app.domain.reply import MemoryOp
from tests.contract.memory_machine.answers import Answer, Dress, Manner, Verdict
from tests.contract.memory_machine.house import House
from tests.contract.memory_machine.sayings import CHATTER, FACTS, Fact, corrected

Deed = Callable[[House, int], Awaitable[None]]


class Act(NamedTuple):
    """Something that happens to a subject. `turn`: it takes the conversation's lease.

    `firm`: the words that must have been in memory when it is over.
    """

    name: str
    deed: Deed
    turn: bool = False
    firm: tuple[str, ...] = ()


def says(text: str, reply: str = "I see.", *facts: Fact) -> Act:
    """A message and its answer."""

    async def deed(house: House, who: int) -> None:
        await house.turn(who, [text], reply)

    return Act(f"says {text!r}", deed, turn=True, firm=_firm(*facts))


def tells(fact: Fact) -> Act:
    """A plain statement."""
    return says(fact.said, "I see.", fact)


def tells_all(*told: Fact) -> Act:
    """Several statements, one after the other."""

    async def deed(house: House, who: int) -> None:
        for fact in told:
            await house.turn(who, [fact.said])

    return Act(f"tells {[fact.word for fact in told]}", deed, turn=True)


def says_both(first: str, second: str) -> Act:
    """Two messages that are answered together."""

    async def deed(house: House, who: int) -> None:
        await house.turn(who, [first, second])

    return Act(f"says {first!r} and {second!r}", deed, turn=True)


def asks_to_keep(fact: Fact, *, by_model: bool) -> Act:
    """A request to remember, understood by the rules or by the model."""
    if not by_model:
        return Act(f"asks to keep {fact.word}", says(fact.asked).deed, True, (fact.word.lower(),))
    text = f"Keep this in mind for me: {fact.said}"

    async def deed(house: House, who: int) -> None:
        op = MemoryOp(op="remember", text=fact.said, quote=fact.said)
        await house.turn(who, [text], ops=[op])

    return Act(f"has the model keep {fact.word}", deed, turn=True)


def asks_to_forget(pick: int) -> Act:
    """A request to forget, understood by the model: one of one's own records, or of another's."""

    async def deed(house: House, who: int) -> None:
        owner = who if pick % 5 else house.other(who)
        records = list((await house.profile(owner)).records)
        text = f"That thing number {pick}, let go of it please"
        named = records[pick % len(records)].id if records else "m0"
        op = MemoryOp(op="forget", text="", id=named, quote="let go of it")
        await house.turn(who, [text], ops=[op])

    return Act(f"has the model forget {pick}", deed, turn=True)


def edits(pick: int, text: str) -> Act:
    """A change to a message of one's own, wherever it is stored by now."""

    async def deed(house: House, who: int) -> None:
        mine = [m for m in (await house.messages(who)).values() if m.telegram_message_id]
        mine = [m for m in mine if m.role == "user"]
        if mine:
            message = mine[-1 - pick % len(mine)]
            await house.edit(who, message.telegram_message_id or 0, text)

    return Act(f"edits {pick} to {text!r}", deed, turn=True)


def takes_back(pick: int) -> Act:
    """A press on Undo, on one of the last outcomes."""

    async def deed(house: House, who: int) -> None:
        outcomes = (await house.profile(who)).recent_outcomes
        if outcomes:
            await house.press(who, f"undo:{outcomes[-1 - pick % len(outcomes)].id}")

    return Act(f"takes back {pick}", deed, turn=True)


def pins(pick: int) -> Act:
    """The person pins a record."""

    async def deed(house: House, who: int) -> None:
        records = list((await house.profile(who)).records)
        if records:
            await house.pin(who, records[pick % len(records)].id)

    return Act(f"pins {pick}", deed)


def works(answer: Answer) -> Act:
    """The next job that is due."""

    async def deed(house: House, who: int) -> None:
        await house.work(who, answer)

    return Act(f"works with {answer}", deed)


def works_off(answer: Answer) -> Act:
    """All jobs that are due, those included that only a scan finds."""

    async def deed(house: House, who: int) -> None:
        await house.scan()
        for _ in range(8):
            if not await house.work(who, answer):
                return

    return Act(f"works off with {answer}", deed)


def redoes(pick: int, answer: Answer) -> Act:
    """A job that is delivered once more."""

    async def deed(house: House, who: int) -> None:
        await house.redo(who, pick, answer)

    return Act(f"redoes {pick} with {answer}", deed)


def relays_twice() -> Act:
    """What is owed, carried out twice by two relays."""

    async def deed(house: House, who: int) -> None:
        await house.owe_again(who)

    return Act("relays twice", deed)


def resets() -> Act:
    """A memory is emptied on its owner's word."""

    async def deed(house: House, who: int) -> None:
        house.reset(who)

    return Act("resets", deed)


def _firm(*facts: Fact) -> tuple[str, ...]:
    return tuple(fact.word.lower() for fact in facts if fact.firm)


facts = st.sampled_from(FACTS)
picks = st.integers(0, 30)
_manners = st.sampled_from([Manner.TRUE] * 6 + [Manner.REWORDED] * 4 + list(Manner))
answers = st.builds(
    Answer,
    manners=st.lists(_manners, min_size=1, max_size=8).map(tuple),
    picks=st.lists(picks, min_size=1, max_size=4).map(tuple),
    verdicts=st.lists(st.sampled_from(Verdict), min_size=1, max_size=7).map(tuple),
    strangers=st.just(()),
    dress=st.sampled_from([Dress.PLAIN] * 9 + list(Dress)),
)
_texts = st.one_of(
    facts.map(lambda fact: fact.said),
    facts.map(lambda fact: fact.forget),
    st.tuples(facts, facts).map(lambda pair: corrected(*pair)),
    st.tuples(facts, facts).map(lambda pair: f"{pair[0].said}. {pair[1].said}"),
)
talking = st.one_of(
    facts.map(tells),
    st.lists(facts, min_size=2, max_size=5).map(lambda told: tells_all(*told)),
    facts.map(lambda fact: says(fact.forget)),
    st.builds(says, _texts, facts.map(lambda fact: f"Is it so? {fact.said}")),
    st.tuples(facts, facts).map(lambda pair: says(corrected(*pair))),
    st.builds(says_both, _texts, _texts),
    st.builds(asks_to_keep, facts, by_model=st.booleans()),
    picks.map(asks_to_forget),
    st.just(says(CHATTER)),
)
correcting = st.one_of(
    st.builds(edits, picks, _texts | st.just(CHATTER)),
    picks.map(takes_back),
    picks.map(lambda pick: pins(pick) if pick else resets()),
)
working = st.one_of(answers.map(works), answers.map(works_off))
again = st.one_of(st.builds(redoes, picks, answers), st.just(relays_twice()))
acts = st.one_of(talking, talking, correcting, working, working, again)
