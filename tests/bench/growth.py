"""A conversation that grows and grows, and what the model is sent of it in the end.

Most of it is put in by the product's own services, without a model: messages in bursts, what the
rules keep of them, the bot's replies, the archive, compression. The prompts that are measured
are those of whole turns of the running bot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from app.bootstrap import MemoryEngine, Stores
from app.clock import Clock
from app.config import Settings
from app.database.instance_lock import instance_id
from app.domain.conversation import Message
from app.domain.reply import PromptMessage
from app.errors import ModelError, ModelFailure
from app.memory.window import cut_through
from app.prompts.reply_schema import JsonSchema
from app.services.metrics import Metrics
from tests.bench.model import AS_BUNDLE, REPLY
from tests.bench.talk import messages
from tests.doubles.model_behaviours import Behaviour, text
from tests.integration.stage import Stage

BURST = 10
LONGEST_LOOK = 60
"""Turns after which the window must have been cut once."""
PERSONA = Path("persona/default.md")
UPDATE_IDS_FROM = 1_000_000_000


class NoModel:
    """What memory work asks while there is no model."""

    is_offline = True

    async def complete(
        self, call: str, prompt: Sequence[PromptMessage], schema: JsonSchema | None = None
    ) -> str:
        """Never an answer."""
        raise ModelError(ModelFailure.NO_MODEL)


def only_replies(body: Mapping[str, Any]) -> Behaviour:
    """A reply to whoever asks for one, nonsense to memory work."""
    return AS_BUNDLE if is_reply(body) else text("I'd rather not.")


def is_reply(body: Mapping[str, Any]) -> bool:
    """Whether a request asks for what the bot says."""
    form = body.get("response_format") or {}
    return "reply" in ((form.get("json_schema") or {}).get("schema") or {}).get("properties", ())


def prompt_chars(body: Mapping[str, Any]) -> int:
    """Characters of all messages of a request."""
    return sum(len(message["content"]) for message in body["messages"])


class Growth:
    """One person's conversation on a stage, grown between whole turns."""

    def __init__(self, stage: Stage, settings: Settings) -> None:
        self._stage = stage
        self._settings = settings
        self._words = messages(seed=1)
        self._update_ids: Iterator[int] = iter(range(UPDATE_IDS_FROM, 2 * UPDATE_IDS_FROM))
        self.stored = 0
        stage.model.answer = only_replies

    async def to(self, count: int) -> None:
        """Bring the conversation to `count` messages, the bot's replies among them."""
        db = await self._stage.open()
        settings = self._settings
        stores, clock = Stores.over(db, settings), Clock()
        owner = instance_id(settings.data_dir)
        engine = MemoryEngine(settings, stores, NoModel(), owner, clock, Metrics())
        await engine.start()
        try:
            while self.stored < count:
                burst = min(BURST, max(1, (count - self.stored) // 2))
                await self._burst(engine, stores, burst, owner, clock)
        finally:
            await engine.stop()
            await self._stage.stop()

    async def _burst(
        self, engine: MemoryEngine, stores: Stores, size: int, owner: str, clock: Clock
    ) -> None:
        """So many messages and as many replies, as turns would leave them behind."""
        subject, now = self._stage.ana.id, clock.now()
        said = [
            Message(seq=0, role="user", content=words, created_at=now, update_id=update_id)
            for words, update_id in zip(islice(self._words, size), self._update_ids, strict=False)
        ]
        grant, conversation = await stores.conversations.begin(str(subject), owner, now, said)
        await stores.profiles.touch(subject, now)
        profile = await stores.profiles.read(subject)
        assert profile is not None
        heard = await engine.turns.listen(profile, conversation)
        if engine.loader.block(heard.profile, now).over_budget:
            engine.work.over_budget(subject)
        reply = Message(seq=0, role="assistant", content=REPLY, created_at=now, origin="bot")
        await stores.conversations.commit(
            grant, messages=[reply] * size, answered_through=conversation.next_seq - 1
        )
        await stores.conversations.release(grant)
        self.stored += 2 * size
        await engine.idle()
        await self._trim(stores, clock)

    async def _trim(self, stores: Stores, clock: Clock) -> None:
        current = await stores.conversations.read(str(self._stage.ana.id))
        assert current is not None
        limits = (self._settings.history_max_chars, self._settings.history_min_messages)
        through = cut_through(current, *limits)
        if through is not None:
            leaving = [m for m in current.messages if m.seq <= through]
            await stores.segments.add(current.key, leaving, clock.now())
            await stores.conversations.trim(current, through)

    async def sent(self) -> int:
        """Characters of the prompt of one whole turn of the running bot."""
        before = len(self._stage.model.requests)
        replies = len(self._stage.said())
        self._stage.ana.send(next(self._words))
        await self._stage.replies(replies + 1)
        await self._stage.turns_over()
        self.stored += 2
        bodies = [request.body for request in self._stage.model.requests[before:]]
        (body,) = filter(is_reply, bodies)
        return prompt_chars(body)

    async def until_cut(self) -> list[int]:
        """The same of the turns until the window was cut, the fullest one among them."""
        sizes = [await self.sent()]
        while len(sizes) < LONGEST_LOOK:
            sizes.append(await self.sent())
            if sizes[-1] < sizes[-2] - self._settings.history_max_chars // 4:
                break
        return sizes


async def growing(stage: Stage, points: Sequence[int]) -> tuple[dict[int, int], int]:
    """The prompt's characters after so many messages, and the largest that was seen."""
    changes: dict[str, Any] = {"persona_file": PERSONA, "compression_cooldown_secs": 0}
    changes |= {"throttle_messages": 1_000_000, "message_batch_delay_secs": 0}
    growth = Growth(stage, stage.settings(**changes))
    found: dict[int, int] = {}
    seen: list[int] = []
    for count in points:
        await growth.to(count)
        await stage.start(**changes)
        found[count] = await growth.sent()
        seen.append(found[count])
        if count == max(points):
            seen += await growth.until_cut()
        await stage.stop()
    return found, max(seen)
