"""The command line as a person uses it: real processes, a real terminal where one is asked for."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.cli.main import app
from app.database.connection import connect
from app.playground import Playground
from app.playground.update_queue import Update
from tests.doubles.model_server import ModelServer
from tests.doubles.playground import running_playground
from tests.integration.cli_process import (
    COMMANDS,
    Cli,
    Result,
    connected,
    ended,
    one_line,
)
from tests.integration.stage import eventually


@pytest.fixture
def cli(tmp_path: Path, embedded_uri: str) -> Cli:
    return Cli(tmp_path, embedded_uri)


@pytest.fixture
async def telegram() -> AsyncIterator[Playground]:
    async with running_playground() as playground:
        yield playground


async def test_help_needs_no_settings(cli: Cli) -> None:
    page, inner = await asyncio.gather(
        cli.run("--help", LLM_TIMEOUT_SECS="abc"), cli.run("inbox", "dead", "--help")
    )
    assert (page.code, page.err) == (inner.code, inner.err) == (0, "")
    assert all(command in page.out for command in COMMANDS)


@pytest.mark.parametrize(
    "command",
    [
        *([name] for name in COMMANDS),
        *(["inbox", name] for name in ("dead", "retry")),
        *(["jobs", name] for name in ("list", "dead", "retry")),
        *(["memory", name] for name in ("subjects", "show", "history", "lineage")),
    ],
)
def test_every_command_explains_itself(command: list[str]) -> None:
    page = CliRunner().invoke(app, [*command, "--help"])
    assert page.exit_code == 0
    assert "Usage:" in page.output
    assert command in (["inbox"], ["jobs"], ["memory"]) or "Example" in page.output


async def test_what_is_missing_or_wrong_is_one_clear_line(cli: Cli) -> None:
    (cli.folder / ".env").write_text("LLM_MAX_RETRIES=many\n")
    file = {"THINKMATE_ENV_FILE": "none"}
    refused = await asyncio.gather(
        cli.run("run"),
        cli.run("run", **file),
        cli.run("run", **file, LLM_TIMEOUT_SECS="abc"),
        cli.run("backup", "b.backup", **file, MONGODB_URI="mongo://u:canary@host"),
        cli.run("restore", "missing.backup", **file),
        cli.run("backup", "no-such-folder/b.backup", **file),
    )
    lines = [one_line(result) for result in refused]
    named = (
        "LLM_MAX_RETRIES",
        "TELEGRAM_BOT_TOKEN",
        "LLM_TIMEOUT_SECS",
        "MONGODB_URI",
        "missing.backup",
        "no-such-folder",
    )
    for line, word in zip(lines, named, strict=True):
        assert word in line
    assert "canary" not in str(refused)
    assert "thinkmate setup" in lines[1]


async def test_an_unknown_command_or_option_is_refused(cli: Cli) -> None:
    results = await asyncio.gather(cli.run("nonsense"), cli.run("doctor", "--nonsense"))
    assert [result.code for result in results] == [2, 2]
    assert all("nonsense" in result.err for result in results)


async def test_doctor_without_model_and_token_is_content(cli: Cli) -> None:
    result = await cli.run("doctor")
    assert result.code == 0
    assert marks(result) == {"database": "ok", "model": "warn", "telegram": "warn", "persona": "ok"}
    assert "thinkmate setup" in result.out


async def test_doctor_with_everything_is_content(cli: Cli, telegram: Playground) -> None:
    async with ModelServer(key="right-key") as model:
        result = await cli.run(
            "doctor",
            **connected(telegram),
            OPENAI_BASE_URL=model.base_url,
            OPENAI_API_KEY="right-key",
            LLM_MODEL="scripted",
        )
    assert result.code == 0
    assert set(marks(result).values()) == {"ok"}
    assert "@thinkmate_bot" in result.out
    assert "right-key" not in result.out


async def test_doctor_finds_what_is_wrong_and_how_to_mend_it(
    cli: Cli, telegram: Playground
) -> None:
    wrong_token = f"{telegram.world.bot.id}:{'x' * 36}"
    async with ModelServer(key="right-key") as model:
        result = await cli.run(
            "doctor",
            TELEGRAM_BOT_TOKEN=wrong_token,
            TELEGRAM_API_BASE_URL=telegram.address,
            OPENAI_BASE_URL=model.base_url,
            OPENAI_API_KEY="canary-key",
            LLM_MODEL="scripted",
            PERSONA_FILE="missing.md",
            MONGODB_URI="mongodb://amara:canary@127.0.0.1:1/?serverSelectionTimeoutMS=300",
        )
    assert result.code == 1
    assert marks(result) == dict.fromkeys(("database", "model", "telegram", "persona"), "FAIL")
    for hint in ("MONGODB_URI", "OPENAI_API_KEY", "@BotFather", "PERSONA_FILE"):
        assert hint in result.out
    assert "Traceback" not in result.err
    assert "canary" not in result.out + result.err
    assert wrong_token not in result.out + result.err


def marks(result: Result) -> dict[str, str]:
    """The verdict of each part."""
    found = re.findall(r"^(ok|warn|FAIL) +(\w+): ", result.out, re.MULTILINE)
    return {name: mark for mark, name in found}


async def test_the_whole_life_of_a_bot_on_its_embedded_database(
    cli: Cli, telegram: Playground
) -> None:
    """Run, answer, a second instance, backup meanwhile, dead letters, stop, restore."""
    cli.env.update(connected(telegram), MONGODB_URI="")
    ana = telegram.world.add_person("Ana")
    bot = await cli.begin("run")
    try:
        await _answered(telegram, ana, "Hello")
        _push(telegram, {"update_id": 2_000_000_000_000_000, "message": {"message_id": "x"}})
        await eventually(lambda: _all_confirmed(telegram), 30)
        second, listed, saved, busy = await asyncio.gather(
            cli.run("run"),
            cli.run("inbox", "dead"),
            cli.run("backup", "mate.backup"),
            cli.run("restore", "mate.backup", "--force", "--yes"),
        )
        assert "DATA_DIR" in one_line(second)
        assert str(bot.pid) in one_line(second)
        assert f"{telegram.world.bot.id}:2000000000000000" in listed.out
        assert saved.code == 0, saved
        assert stat.S_IMODE((cli.folder / "mate.backup").stat().st_mode) == 0o600
        assert "DATA_DIR" in one_line(busy)
    finally:
        bot.send_signal(signal.SIGTERM)
        result = await ended(bot)
    assert result.code == 0, result.err
    assert "Traceback" not in result.err
    assert "Hello" not in result.err

    refused, elsewhere = await asyncio.gather(
        cli.run("restore", "mate.backup"),
        cli.run("restore", "mate.backup", DATA_DIR=str(cli.folder / "other")),
    )
    assert "not empty" in one_line(refused)
    assert "--force" in refused.out
    assert elsewhere.code == 0, elsewhere
    restored = await cli.run("restore", "mate.backup", "--force", "--yes")
    assert restored.code == 0, restored
    assert "by version" in restored.out
    counts = [re.findall(r"^  (\w+: \d+)$", r.out, re.MULTILINE) for r in (saved, restored)]
    assert {count for count in counts[0] if not count.endswith(" 0")} == set(counts[1])


async def _answered(telegram: Playground, person: Any, text: str) -> None:
    replies = len(telegram.ledger.bot_messages(person.id))
    person.send(text)
    await telegram.wait_for(lambda ledger: len(ledger.bot_messages(person.id)) > replies, 30)


async def _all_confirmed(telegram: Playground) -> bool:
    return not telegram.world.bot.updates.pending


def _push(telegram: Playground, update: dict[str, Any]) -> None:
    (kind,) = [key for key in update if key != "update_id"]
    telegram.world.bot.updates.pending.append(Update(update["update_id"], kind, update[kind]))
    telegram.world.changes.ring()


async def test_a_dead_letter_that_is_retried_is_answered_at_the_next_start(
    cli: Cli, telegram: Playground, embedded_uri: str
) -> None:
    cli.env.update(connected(telegram))
    ana = telegram.world.add_person("Ana")
    bot = await cli.begin("run")
    await _answered(telegram, ana, "Hello")
    bot.send_signal(signal.SIGTERM)
    assert (await ended(bot)).code == 0
    db = await connect(embedded_uri, cli.env["MONGODB_DATABASE"])
    try:
        row_id = await _make_dead(db, ana)
        assert (await cli.run("inbox", "dead")).out.count(row_id) == 1
        retried = await cli.run("inbox", "retry", row_id)
        assert (retried.code, row_id in retried.out) == (0, True)
        listed, again = await asyncio.gather(
            cli.run("inbox", "dead"), cli.run("inbox", "retry", row_id)
        )
        assert "No dead letters." in listed.out
        assert row_id in one_line(again)
        bot = await cli.begin("run")
        await telegram.wait_for(lambda ledger: len(ledger.bot_messages(ana.id)) == 2, 30)
        await eventually(lambda: db["inbox"].find_one({"_id": row_id, "status": "done"}), 30)
        bot.send_signal(signal.SIGTERM)
        assert (await ended(bot)).code == 0
    finally:
        await db.drop()
        await db.close()


async def _make_dead(db: Any, person: Any) -> str:
    """A dead row for one more message of a person, as five failures would leave it."""
    row = await db["inbox"].find_one({}, sort=[("order", -1)])
    update_id = row["update_id"] + 1
    row_id = f"{row['bot_id']}:{update_id}"
    who = {"id": person.id, "first_name": "Ana"}
    message = {
        "message_id": 900,
        "date": 1_800_000_000,
        "text": "Again?",
        "from": {**who, "is_bot": False},
        "chat": {**who, "type": "private"},
    }
    await db["inbox"].insert_one(
        {
            **row,
            "_id": row_id,
            "update_id": update_id,
            "status": "dead",
            "error": "ValueError",
            "attempts": 5,
            "order": row["order"] + 1,
            "payload": json.dumps({"update_id": update_id, "message": message}),
        }
    )
    return row_id
