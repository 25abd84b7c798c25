"""Updates pushed by Telegram: stored before the answer, refused without the secret."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from app.bootstrap import Bot
from app.config import load_settings
from app.database.inbox import InboxStore
from app.errors import ConfigError, StoreUnavailable
from app.transports.web.webhook import SECRET_HEADER
from tests.doubles.model_behaviours import bundle
from tests.integration.stage import Stage, free_port

SECRET = "0123456789abcdef0123456789abcdef"


async def start(stage: Stage, **changes: Any) -> Bot:
    """Start a bot that is pushed to, on a free port."""
    port = free_port()
    return await stage.start(
        webhook_url=f"http://127.0.0.1:{port}",
        webhook_port=port,
        webhook_secret=SECRET,
        **changes,
    )


def update(stage: Stage, update_id: int, text: str) -> dict[str, Any]:
    """A message of Ana's, as Telegram would push it."""
    ana = {"id": stage.ana.id, "first_name": "Ana", "is_bot": False}
    chat = {"id": stage.ana.id, "type": "private", "first_name": "Ana"}
    message = {"message_id": 1, "date": 1, "text": text, "chat": chat, "from": ana}
    return {"update_id": update_id, "message": message}


async def push(stage: Stage, body: dict[str, Any], secret: str | None) -> int:
    """Post an update to the bot's door; returns the status."""
    hook = stage.world.bot.webhook
    assert hook is not None
    headers = {} if secret is None else {SECRET_HEADER: secret}
    async with httpx.AsyncClient() as client:
        return (await client.post(hook.url, json=body, headers=headers)).status_code


async def test_a_pushed_message_is_answered_and_nobody_polls(stage: Stage) -> None:
    polls = stage.playground.faults.add("getUpdates", "error", times=None)
    await start(stage)
    hook = stage.world.bot.webhook
    assert hook is not None
    assert hook.url.endswith("/telegram")
    assert hook.secret == SECRET
    stage.model.script(bundle("one"), bundle("two"))
    stage.ana.send("Hello")
    await stage.replies(1)
    stage.ana.send("And again")
    assert await stage.replies(2) == ["one", "two"]
    await stage.settled()
    assert polls.hits == 0
    assert not hook.last_error


@pytest.mark.parametrize("secret", [None, "", "wrong", SECRET[:-1], SECRET + "0", SECRET.upper()])
async def test_a_wrong_secret_is_refused_and_stores_nothing(
    stage: Stage, secret: str | None
) -> None:
    await start(stage)
    assert await push(stage, update(stage, 1, "let me in"), secret) == 403
    assert stage.db is not None
    assert not await stage.db["inbox"].count_documents({})


async def test_an_update_pushed_twice_is_answered_once(stage: Stage) -> None:
    await start(stage)
    stage.ana.send("Hello")
    await stage.replies(1)
    await stage.settled()
    assert stage.db is not None
    row = await stage.db["inbox"].find_one({})
    assert row is not None
    again = update(stage, row["update_id"], "Hello")
    assert await push(stage, again, SECRET) == 200
    stage.ana.send("Second")
    await stage.replies(2)
    await stage.settled()
    assert len(stage.model.requests) == 2


async def test_a_store_that_is_away_answers_5xx_and_the_push_comes_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start(stage)
    hook = stage.world.bot.webhook
    assert hook is not None
    original, away = InboxStore.add, [2]

    async def add(self: InboxStore, row: object) -> bool:
        if away[0]:
            away[0] -= 1
            raise StoreUnavailable("away")
        return await original(self, row)  # type: ignore[arg-type]

    monkeypatch.setattr(InboxStore, "add", add)
    stage.ana.send("Hello")
    assert "503" in await stage.until(lambda: hook.last_error)
    await stage.replies(1)
    await stage.settled()
    assert away[0] == 0
    assert len(stage.said()) == 1
    assert len(stage.model.requests) == 1


async def test_what_was_sent_while_the_bot_was_down_is_pushed_later(stage: Stage) -> None:
    await start(stage)
    await stage.stop()
    stage.ana.send("anybody?")
    await start(stage)
    assert len(await stage.replies(1)) == 1
    await stage.settled()
    assert len(stage.model.requests) == 1


async def test_without_a_webhook_the_bot_goes_back_to_polling(stage: Stage) -> None:
    await start(stage)
    await stage.stop()
    stage.ana.send("anybody?")
    await stage.start(webhook_url="")
    await stage.replies(1)
    assert stage.world.bot.webhook is None


@pytest.mark.parametrize("secret", ["", "short", SECRET[:31]])
async def test_a_short_secret_stops_the_start(stage: Stage, secret: str) -> None:
    stage.settings(webhook_url="", webhook_secret=secret)
    with pytest.raises(ConfigError, match="WEBHOOK_SECRET") as refusal:
        load_settings(webhook_url="http://127.0.0.1:9")
    assert "\n" not in str(refusal.value)
    assert not secret or secret not in str(refusal.value)
    assert load_settings(webhook_url="http://127.0.0.1:9", webhook_secret=SECRET).webhook_url
