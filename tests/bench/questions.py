"""A child's side of the conversation: JSON lines in, JSON lines out, an end on SIGTERM."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any

Answer = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


def stop_event() -> asyncio.Event:
    """An event that SIGTERM and SIGINT set."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


def tell(value: dict[str, Any]) -> None:
    """Write one line."""
    print(json.dumps(value), flush=True)


async def answer_questions(answer: Answer, stop: asyncio.Event) -> None:
    """Answer each line of standard input until it ends, which happens when the asker is gone."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    while line := await reader.readline():
        tell(await answer(json.loads(line)))
    stop.set()
