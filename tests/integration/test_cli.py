"""The command line as a person uses it: real processes, a real terminal where one is asked for."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import signal
import stat
import sys
import uuid
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
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
from tests.integration.stage import eventually

ROOT = Path(__file__).parents[2]
PATIENCE_SECS = 60.0
COMMANDS = ("start", "run", "setup", "doctor", "backup", "restore", "inbox")
PYTHON = (sys.executable, "-m", "app")


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str


class Cli:
    """Runs `python -m app` in a directory of its own, with an environment of its own."""

    def __init__(self, folder: Path, database_uri: str) -> None:
        self.folder = folder
        persona = folder / "persona.md"
        persona.write_text("You are Mate, a kind companion.")
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
            "COLUMNS": "200",
            "PERSONA_FILE": str(persona),
            "DATA_DIR": str(folder / "data"),
            "MONGODB_URI": database_uri,
            "MONGODB_DATABASE": f"cli_{uuid.uuid4().hex[:12]}",
            "MESSAGE_BATCH_DELAY_SECS": "0.05",
            "ACCESS": "open",
        }

    async def begin(self, *args: str, **env: str) -> Process:
        """Start a command and leave it running."""
        return await asyncio.create_subprocess_exec(
            *PYTHON, *args, cwd=self.folder, env={**self.env, **env}, stdout=PIPE, stderr=PIPE
        )

    async def run(self, *args: str, **env: str) -> Result:
        """Run a command to its end."""
        return await ended(await self.begin(*args, **env))


async def ended(process: Process) -> Result:
    """Wait for a process and read what it said."""
    try:
        async with asyncio.timeout(PATIENCE_SECS):
            out, err = await process.communicate()
    except TimeoutError:
        process.kill()
        raise
    assert process.returncode is not None
    return Result(process.returncode, out.decode(), err.decode())


@pytest.fixture
def cli(tmp_path: Path, embedded_uri: str) -> Cli:
    return Cli(tmp_path, embedded_uri)


@pytest.fixture
async def telegram() -> AsyncIterator[Playground]:
    async with running_playground() as playground:
        yield playground


def connected(telegram: Playground) -> dict[str, str]:
    """The settings of a bot on the playground."""
    return {"TELEGRAM_BOT_TOKEN": telegram.token, "TELEGRAM_API_BASE_URL": telegram.address}


def one_line(result: Result) -> str:
    """The single line with which a command refused to work."""
    assert result.code == 1, result
    assert "Traceback" not in result.err
    (line,) = result.err.splitlines()
    assert line.startswith("thinkmate: ")
    return line


async def test_help_needs_no_settings(cli: Cli) -> None:
    page, inner = await asyncio.gather(
        cli.run("--help", LLM_TIMEOUT_SECS="abc"), cli.run("inbox", "dead", "--help")
    )
    assert (page.code, page.err) == (inner.code, inner.err) == (0, "")
    assert all(command in page.out for command in COMMANDS)


@pytest.mark.parametrize(
    "command", [*([name] for name in COMMANDS), ["inbox", "dead"], ["inbox", "retry"]]
)
def test_every_command_explains_itself(command: list[str]) -> None:
    page = CliRunner().invoke(app, [*command, "--help"])
    assert page.exit_code == 0
    assert "Usage:" in page.output
    assert command == ["inbox"] or "Example" in page.output


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


class Terminal:
    """A command on a terminal of its own: wait for what it asks, type the answer."""

    def __init__(self, master: int, process: Process) -> None:
        self.shown = ""
        self._seen = 0
        self._master = master
        self._process = process
        self._more = asyncio.Event()
        asyncio.get_running_loop().add_reader(master, self._read)

    @classmethod
    async def open(cls, cli: Cli, args: Sequence[str], **env: str) -> Terminal:
        """Start a command on a fresh terminal."""
        master, slave = pty.openpty()
        process = await asyncio.create_subprocess_exec(
            *PYTHON,
            *args,
            cwd=cli.folder,
            env={**cli.env, **env},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        return cls(master, process)

    def _read(self) -> None:
        try:
            data = os.read(self._master, 65_536)
        except OSError:  # the other end was closed
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._master)
        self.shown += data.decode(errors="replace")
        self._more.set()

    async def answer(self, question: str, text: str) -> None:
        """Wait until something new asks `question` and listens, and type `text`."""
        await self.shows(question)
        await self._until(lambda: self.shown.endswith(("]: ", "): ")), f"no prompt: {question}")
        os.write(self._master, f"{text}\n".encode())

    async def shows(self, text: str) -> None:
        """Wait until something new shows `text`."""
        await self._until(lambda: text in self.shown[self._seen :], f"no {text!r}")
        self._seen = self.shown.index(text, self._seen) + len(text)

    async def _until(self, look: Callable[[], bool], complaint: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE_SECS):
                while not look():
                    self._more.clear()
                    await self._more.wait()
        except TimeoutError:
            raise AssertionError(f"{complaint} in {self.shown!r}") from None

    async def close(self) -> int:
        """Wait for the command's end; returns its exit status."""
        async with asyncio.timeout(PATIENCE_SECS):
            code = await self._process.wait()
        asyncio.get_running_loop().remove_reader(self._master)
        os.close(self._master)
        return code


async def test_setup_tries_both_connections_and_writes_a_private_file(
    cli: Cli, telegram: Playground
) -> None:
    env_file = cli.folder / ".env"
    env_file.write_text("# mine\nLOG_LEVEL=WARNING\nLLM_MODEL=old\n")
    env_file.chmod(0o644)
    async with ModelServer(models=("scripted",), key="right-key") as model:
        terminal = await Terminal.open(cli, ["setup"], TELEGRAM_API_BASE_URL=telegram.address)
        await terminal.answer("language model?", "y")
        await terminal.answer("Which provider?", "9")
        await terminal.answer("Which provider?", "4")
        await terminal.answer("Base URL", model.base_url)
        await terminal.answer("API key", "canary-wrong-key")
        await terminal.answer("Model", "scripted")
        await terminal.answer("Keep it all the same?", "n")
        await terminal.answer("Which provider?", "4")
        await terminal.answer("Base URL", model.base_url)
        await terminal.answer("API key", "right-key")
        await terminal.answer("Model", "")
        await terminal.answer("Telegram bot?", "y")
        await terminal.answer("Token", f"{telegram.world.bot.id}:{'z' * 36}")
        await terminal.shows("refuses this token")
        await terminal.answer("Keep it all the same?", "n")
        await terminal.answer("Token", telegram.token)
        await terminal.shows("@thinkmate_bot")
        await terminal.shows("Written to .env")
        assert await terminal.close() == 0
    assert stat.S_IMODE(env_file.stat().st_mode) == 0o600
    written = env_file.read_text()
    assert written.startswith("# mine\nLOG_LEVEL=WARNING\nLLM_MODEL=scripted\n")
    assert f"OPENAI_BASE_URL={model.base_url}\n" in written
    assert "OPENAI_API_KEY=right-key\n" in written
    assert f"TELEGRAM_BOT_TOKEN={telegram.token}\n" in written
    for secret in ("canary-wrong-key", "right-key", telegram.token, "z" * 36):
        assert secret not in terminal.shown
    assert "Traceback" not in terminal.shown


async def test_setup_that_is_declined_writes_nothing(cli: Cli) -> None:
    terminal = await Terminal.open(cli, ["setup"])
    await terminal.answer("language model?", "n")
    await terminal.answer("Telegram bot?", "n")
    await terminal.shows("Nothing changed.")
    assert await terminal.close() == 0
    assert not (cli.folder / ".env").exists()
