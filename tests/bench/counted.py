"""The product as a process that counts its database commands and tells them when asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from app.bootstrap import run_bot
from app.config import load_settings
from app.logs import configure
from tests.bench.questions import answer_questions, stop_event
from tests.doubles.command_log import Command, CommandLog

HOUSEKEEPING = frozenset({"usage", "metrics_state"})


def is_background(command: Command) -> bool:
    """Whether a clock and not a turn caused it: counters, usage rows, the look for what is owed."""
    looks = command.name == "find" and "next_delivery_at" in command.body.get("filter", {})
    return command.collection in HOUSEKEEPING or looks


def is_the_turns(command: Command) -> bool:
    """Whether a turn itself sends it: intake, conversation, profile and memory commit.

    Everything else that follows a turn is done by jobs, or by what writes them down.
    """
    if command.collection == "user_profiles":
        changes = command.body.get("updates", ())
        return command.name == "findAndModify" or any("generation" in c["q"] for c in changes)
    return command.collection in {"inbox", "chat_buffers", "segments"}


async def serve() -> None:
    """Run until SIGTERM; each question is answered with what was counted since the last one."""
    settings = load_settings()
    configure(settings.log_level, settings.log_json)
    stop = stop_event()
    log = CommandLog()

    async def answer(question: dict[str, Any]) -> dict[str, Any]:
        commands = list(log.commands)
        log.clear()
        return {
            "commands": Counter(str(command) for command in commands),
            "background": sum(map(is_background, commands)),
        }

    questions = asyncio.create_task(answer_questions(answer, stop))
    await run_bot(settings, stop, lambda link: None, listeners=[log])
    questions.cancel()


if __name__ == "__main__":
    asyncio.run(serve())
