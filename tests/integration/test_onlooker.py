"""The playground's look at a bot's memory: beside the bot, and without holding anything up."""

from __future__ import annotations

from pathlib import Path

from pydantic import SecretStr

from app.bootstrap.onlooker import Onlooker
from app.config import Settings
from app.database.instance_lock import InstanceLock
from tests.integration.stage import Stage


async def test_it_sees_what_a_bot_on_a_server_remembers(stage: Stage) -> None:
    await stage.start()
    stage.ana.send("My dog is called Rex")
    await stage.replies(1)
    settings = stage.settings(
        mongodb_uri=SecretStr(stage.database_uri), mongodb_database=stage.database_name
    )
    onlooker = Onlooker(settings)
    card = await onlooker.card(stage.ana.id)
    stranger = await onlooker.card(42)
    await onlooker.aclose()
    assert card is not None
    assert "".join(p["text"] for p in card["groups"][0]["items"][0]["parts"]) == (
        "My dog is called Rex"
    )
    assert stranger is not None
    assert stranger["groups"] == []


async def test_without_a_running_database_it_knows_nothing_and_takes_no_lock(
    tmp_path: Path,
) -> None:
    (tmp_path / "db.json").write_text('{"port": 1}')
    onlooker = Onlooker(Settings(_env_file=None, data_dir=tmp_path, mongodb_uri=None))
    assert await onlooker.card(7) is None
    (tmp_path / "db.json").unlink()
    assert await onlooker.card(7) is None
    await onlooker.aclose()
    InstanceLock(tmp_path).acquire()
