"""The Telegram of the benchmark, as a process: the playground, and people who write in it.

The people live in the server's own process, so that what they do costs the subjects nothing. Each
writes the next message as soon as the reply to the last one has come.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from app.playground.accounts import BotAccount
from app.playground.ledger import Entry
from app.playground.person import Person
from app.playground.server import Playground, fresh_world
from tests.bench.questions import answer_questions, stop_event, tell

SILENCE_SECS = 30.0
TEXTS = (
    "Good morning! I slept well for once.",
    "I'm going to the market this afternoon.",
    "Do you think I should bake a cake on Sunday?",
    "My sister calls me back tomorrow evening.",
    "The rain has stopped, so I'll take the bike.",
    "I finished the book you and I talked about.",
    "What could I cook with leeks and potatoes?",
    "It was a long day, but the meeting went fine.",
)


class Conversations:
    """One bot and some people, each of whom waits for at most one reply."""

    def __init__(self, playground: Playground, bot: BotAccount, people: list[Person]) -> None:
        self._playground = playground
        self._bot = bot
        self._people = {person.id: person for person in people}
        self._asked: dict[int, float] = {}
        self._sent = 0

    async def run(self, turns: int) -> dict[str, Any]:
        """`turns` messages, each answered: seconds in all, seconds each, typing signals shown.

        Raises TimeoutError when nothing is answered for 30 s.
        """
        ledger = self._playground.ledger
        seen, waits, typing = len(ledger), list[float](), 0
        started = time.perf_counter()
        for person in self._people.values():
            self._ask(person, turns)
        while len(waits) < turns:
            await self._playground.wait_for(lambda ledger: len(ledger) > seen, SILENCE_SECS)  # noqa: B023
            for entry in ledger.since(seen):
                typing += entry.kind == "typing"
                waited = self._answered(entry)
                if waited is not None and entry.chat_id is not None:
                    waits.append(waited)
                    self._ask(self._people[entry.chat_id], turns)
            seen = len(ledger)
        return {"secs": time.perf_counter() - started, "waits": waits, "typing": typing}

    def _ask(self, person: Person, turns: int) -> None:
        if self._sent >= turns:
            return
        text = TEXTS[self._sent % len(TEXTS)]
        self._sent += 1
        self._asked[person.id] = time.perf_counter()
        person.send(text, self._playground.world.private_chat(self._bot, person))

    def _answered(self, entry: Entry) -> float | None:
        """Seconds a person waited, when this is the message they waited for."""
        if entry.kind != "bot_message" or entry.bot_id != self._bot.id or entry.chat_id is None:
            return None
        asked = self._asked.pop(entry.chat_id, None)
        return None if asked is None else time.perf_counter() - asked


async def serve(bots: int, people: int) -> None:
    """Tell address and tokens, then let people write whenever asked to."""
    stop = stop_event()
    world = fresh_world()
    accounts = [world.add_bot(f"bench{number}_bot") for number in range(bots)]
    everybody = [world.add_person(f"Person {number}") for number in range(people)]
    playground = Playground(world=world)
    await playground.listen()

    async def answer(question: dict[str, Any]) -> dict[str, Any]:
        some = everybody[: question["people"]]
        try:
            return await Conversations(playground, accounts[question["bot"]], some).run(
                question["turns"]
            )
        except TimeoutError:
            return {"error": f"nothing was answered for {SILENCE_SECS:g} s"}

    try:
        tell({"address": playground.address, "tokens": [account.token for account in accounts]})
        questions = asyncio.create_task(answer_questions(answer, stop))
        await stop.wait()
        questions.cancel()
    finally:
        await playground.stop()


if __name__ == "__main__":
    asyncio.run(serve(bots=3, people=64))
