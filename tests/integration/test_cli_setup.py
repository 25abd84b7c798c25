"""`thinkmate setup` at a real terminal."""

from __future__ import annotations

import asyncio
import os
import pty
import stat
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import pytest

from app.playground import Playground
from tests.doubles.model_server import ModelServer
from tests.doubles.playground import running_playground
from tests.integration.cli_process import (
    PATIENCE_SECS,
    PYTHON,
    Cli,
)


@pytest.fixture
def cli(tmp_path: Path, embedded_uri: str) -> Cli:
    return Cli(tmp_path, embedded_uri)


@pytest.fixture
async def telegram() -> AsyncIterator[Playground]:
    async with running_playground() as playground:
        yield playground


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
