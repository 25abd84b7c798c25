"""What the bot answers to a command; pure."""

from __future__ import annotations

from app.domain.inbox import Incoming
from app.services import texts

_ANSWERS = {"start": texts.START, "help": texts.HELP}


def answer(incoming: Incoming) -> str | None:
    """The text for a command; None when silence is right (an unknown one in a group)."""
    known = _ANSWERS.get(incoming.command)
    if known is not None:
        return known
    return texts.UNKNOWN_COMMAND if incoming.chat_kind == "private" else None
