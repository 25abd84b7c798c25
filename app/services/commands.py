"""What the bot answers to a command."""

from __future__ import annotations

from datetime import datetime

from app.database.profiles import ProfileStore
from app.domain.conversation import OutboxRow
from app.domain.inbox import Incoming
from app.services import texts
from app.services.notices import text_row
from app.services.profile_page import profile_rows

_ANSWERS = {"start": texts.START, "help": texts.HELP}


class Commands:
    """Answers commands; those about memory look at the sender's own profile and no other."""

    def __init__(self, profiles: ProfileStore, default_zone: str) -> None:
        self._profiles = profiles
        self._default_zone = default_zone

    async def answer(self, incoming: Incoming, now: datetime) -> tuple[OutboxRow, ...]:
        """The rows of an answer; none when silence is right (an unknown command in a group)."""
        private = incoming.chat_kind == "private"
        if incoming.command == "profile":
            if not private:
                return (text_row(incoming, texts.PROFILE_IN_PRIVATE, now),)
            profile = await self._profiles.read(incoming.sender_id)
            return profile_rows(incoming, profile, now, self._default_zone)
        known = _ANSWERS.get(incoming.command)
        if known is None and private:
            known = texts.UNKNOWN_COMMAND
        return (text_row(incoming, known, now),) if known else ()
