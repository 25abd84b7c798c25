"""The dated transcript: what was said, line by line, with a number to cite it by."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from app.domain.conversation import Message
from app.memory.evidence import is_evidence

OPEN, CLOSE = "<transcript>", "</transcript>"


def render(messages: Sequence[Message], zone: str) -> str:
    """One line a message, fenced as data; only lines of `person` can be cited."""
    lines = [_line(message, zone) for message in messages]
    return "\n".join([OPEN, *lines, CLOSE])


def _line(message: Message, zone: str) -> str:
    at = message.created_at.astimezone(ZoneInfo(zone))
    content = message.content.replace(CLOSE, "(/transcript)").replace(OPEN, "(transcript)")
    content = content.replace("\n", "\n    ")
    if message.role == "assistant":
        who = "bot"
    elif is_evidence(message):
        who = "person"
    else:
        who = "forwarded, not the person's words"
    return f"#{message.seq} [{at:%Y-%m-%d %H:%M}] {who}: {content}"
