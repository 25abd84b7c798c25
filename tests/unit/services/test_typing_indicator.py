"""Typing goes on after a call that failed."""

from __future__ import annotations

import asyncio

import pytest

from app.domain.conversation import OutboxRow
from app.errors import SendUnavailable
from app.services import typing_indicator
from app.services.typing_indicator import Typing


class Flaky:
    """A channel whose first typing call fails."""

    def __init__(self) -> None:
        self.calls = 0
        self.twice = asyncio.Event()

    async def typing(self, chat_id: int, thread_id: int | None) -> None:
        self.calls += 1
        if self.calls == 1:
            raise SendUnavailable("away")
        self.twice.set()

    async def send_part(self, row: OutboxRow, index: int) -> int:
        return 0

    async def react(self, row: OutboxRow) -> None:
        return None

    async def answer_button(self, button_id: str, text: str = "") -> None:
        return None


async def test_a_failed_call_does_not_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typing_indicator, "FIRST_AFTER_SECS", 0.0)
    monkeypatch.setattr(typing_indicator, "EVERY_SECS", 0.0)
    channel = Flaky()
    async with asyncio.timeout(5), Typing(channel, 1, None):
        await channel.twice.wait()
