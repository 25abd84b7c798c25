"""What people say and what opens doors never reaches a log, whatever goes wrong."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest
from loguru import logger

from app import bootstrap, logs
from app.cli.prepared import prepared_settings
from app.database.connection import connect
from app.database.inbox import InboxStore
from app.database.profiles import ProfileStore
from app.errors import StoreUnavailable, ThinkMateError
from app.services import turns
from app.services.turn_handler import ConversationTurns
from app.services.turns import Batch
from tests.doubles.model_behaviours import (
    bundle,
    empty,
    error,
    garbage,
    hang,
    html,
    rate_limited,
    reset,
    server_error,
    text,
    unauthorized,
)
from tests.integration.conftest import embedded_uri, stage
from tests.integration.stage import Stage

__all__ = ["embedded_uri", "stage"]

WORD = "canarybird"
KEY = f"{WORD}-key-0123456789"
PASSWORD = f"{WORD}-password"
BAD_URI = f"mongodb://amara:{PASSWORD}@127.0.0.1:1/?serverSelectionTimeoutMS=200"
WEBHOOK_SECRET = f"{WORD}-secret-0123456789-0123456789"


@pytest.fixture(params=[True, False], ids=["json", "text"])
def out(
    request: pytest.FixtureRequest, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> Iterator[io.StringIO]:
    """Everything that is logged, by a program set up as `thinkmate run` sets it up."""
    monkeypatch.setattr(logs, "_secrets", {})
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stage.settings(
        openai_api_key=KEY, mongodb_uri=BAD_URI, webhook_secret=WEBHOOK_SECRET, log_level="DEBUG"
    )
    prepared_settings()
    stream = io.StringIO()
    logs.configure("DEBUG", json=request.param, sink=stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    logger.remove()
    logger.configure(patcher=lambda record: None, extra={})


def caught(out: io.StringIO, *secrets: str) -> list[str]:
    """The lines that hold a canary or a secret."""
    needles = [WORD, *(secret.casefold() for secret in secrets)]
    return [
        line
        for line in out.getvalue().splitlines()
        if any(needle in line.casefold() for needle in needles)
    ]


async def test_the_search_finds_a_canary_that_is_logged_on_purpose(out: io.StringIO) -> None:
    logger.debug("a word: {}", f"{WORD.upper()} sings")
    logging.getLogger("some.library").warning("another %s", WORD)
    assert len(caught(out)) == 2
    assert caught(out, "another")


async def test_a_registered_secret_is_masked_even_when_logged_on_purpose(
    stage: Stage, out: io.StringIO
) -> None:
    token = stage.world.bot.token
    logger.error("url {} key {} uri {} hook {}", token, KEY, BAD_URI, WEBHOOK_SECRET)
    assert caught(out, token) == []
    assert logs.MASK in out.getvalue()


async def test_a_conversation_with_everything_going_wrong_leaks_nothing(
    stage: Stage, out: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fail_early_and_often(monkeypatch)
    person = stage.world.add_person(f"Amara {WORD}", username=f"{WORD}_amara")
    group = stage.world.add_group(f"The {WORD} club", [person])
    await stage.start(
        openai_api_key=KEY, llm_breaker_failures=100, llm_timeout_secs=0.5, log_level="DEBUG"
    )
    answers = (
        bundle(f"The {WORD} replies", "👍"),
        unauthorized(KEY),
        error(400, f"your prompt '{WORD}' was refused"),
        server_error(),
        garbage(),
        empty(),
        text(f"not json: {WORD}"),
        html(),
        reset(),
        rate_limited(0),
        hang(),
    )
    for number, answer in enumerate(answers, start=1):
        stage.model.script(answer)
        person.send(f"{WORD} number {number}")
        await stage.replies(number, person.chat)
        await stage.turns_over()
    refusals = (
        {"kind": "500"},
        {"kind": "reset"},
        {"kind": "lost"},
        {"kind": "error", "description": f"Bad Request: can't parse entities near {WORD}"},
        {"kind": "error", "description": f"Bad Request: {WORD} is not welcome"},
        {"kind": "error", "code": 403, "description": f"Forbidden: {WORD}"},
    )
    for number, refusal in enumerate(refusals):
        fault = stage.playground.faults.add("sendMessage", **refusal)  # type: ignore[arg-type]
        stage.model.script(bundle(f"**{WORD}** once more"))
        person.send(f"@thinkmate_bot {WORD} again {number}", group)
        await stage.met(fault)
    stage.playground.faults.clear()
    edited = person.send(f"{WORD} before", person.chat)
    person.edit(edited, f"{WORD} after")
    person.send_photo(f"{WORD} in a picture")
    person.send(f"/start claim_{WORD}")
    stage.push_raw({"update_id": 2_000_000_000_000_000, "message": {"text": WORD}})
    stage.push_raw({"update_id": 2_000_000_000_000_001, "edited_message": [WORD]})
    person.send(f"poison {WORD}")
    await stage.until_true(lambda: _given_up(stage))
    await stage.stop()
    log = out.getvalue()
    for expected in (
        "is up",
        "send failed",
        "turn failed",
        "given up",
        "can't be read",
        "not stored",
    ):
        assert expected in log, f"{expected!r} never happened"
    assert caught(out, stage.world.bot.token, stage.world.bot.secret) == []


def _fail_early_and_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that is away at first, and turns with a bug, each with a person's words in it."""
    monkeypatch.setattr(turns, "MAX_RETRY_PAUSE_SECS", 0.01)
    monkeypatch.setattr(turns, "RETRY_PAUSE_SECS", 0.01)
    monkeypatch.setattr(bootstrap, "FLUSH_SECS", 0.05)
    add, touch, handle = InboxStore.add, ProfileStore.touch, ConversationTurns.handle
    away = {"add": 1, "touch": 1}

    async def failing_add(self: InboxStore, row: object) -> bool:
        if away["add"]:
            away["add"] -= 1
            raise ValueError(f"a document with {WORD} in it")
        return await add(self, row)  # type: ignore[arg-type]

    async def failing_touch(self: ProfileStore, subject: int, now: object) -> object:
        if away["touch"]:
            away["touch"] -= 1
            raise StoreUnavailable("away")
        return await touch(self, subject, now)  # type: ignore[arg-type]

    async def poisoned(self: ConversationTurns, batch: Batch) -> None:
        words = [item.incoming.text for item in batch.items]
        if any("poison" in word for word in words):
            try:
                raise KeyError(words[0])
            except KeyError as inner:
                raise ValueError(f"can't handle {words}") from inner
        await handle(self, batch)

    monkeypatch.setattr(InboxStore, "add", failing_add)
    monkeypatch.setattr(ProfileStore, "touch", failing_touch)
    monkeypatch.setattr(ConversationTurns, "handle", poisoned)


async def _given_up(stage: Stage) -> bool:
    assert stage.bot is not None
    return stage.bot.metrics.value("inbox.dead") > 0


async def test_a_refused_token_and_a_database_out_of_reach_leak_nothing(
    stage: Stage, out: io.StringIO
) -> None:
    token = f"{stage.world.bot.id}:{WORD}-{'x' * 30}"
    for attempt in (
        stage.start(telegram_bot_token=token),
        connect(BAD_URI, "thinkmate"),
        connect(f"mongodb://amara:{PASSWORD}@[::bad/", "thinkmate"),
    ):
        with pytest.raises(ThinkMateError) as refusal:
            await attempt
        logger.opt(exception=refusal.value).error("it failed: {}", refusal.value)
        assert WORD not in str(refusal.value)
    assert out.getvalue().count("it failed") == 3
    assert caught(out, token) == []


async def test_strangers_leak_nothing_either(stage: Stage, out: io.StringIO) -> None:
    await stage.start(access="owner")
    code = stage.announced[-1].rpartition("claim_")[2]
    stage.ana.send(f"I am {WORD}")
    stage.ana.send(f"/start claim_{WORD}")
    await stage.replies(1)
    stage.ana.send(f"/start claim_{code}")
    await stage.replies(2)
    await stage.stop()
    assert "is up" in out.getvalue()
    assert caught(out, code) == []
