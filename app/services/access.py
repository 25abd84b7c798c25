"""Who may talk to the bot: its owner and whom the settings name, or everybody when open."""

from __future__ import annotations

from app.clock import Clock
from app.config import Settings
from app.database.access import AccessStore

CLAIM_PREFIX = "claim_"


class Access:
    """Decides by numeric id only."""

    def __init__(self, settings: Settings, store: AccessStore, bot_id: int, clock: Clock) -> None:
        self._open = settings.access == "open"
        self._allowed = frozenset(settings.allowed_user_ids)
        self._store = store
        self._bot_id = bot_id
        self._clock = clock
        self._owner: int | None = None

    async def start(self) -> str | None:
        """Read the owner; returns the one-time code to print while there is nobody to serve."""
        self._owner = await self._store.owner(self._bot_id)
        if self._open or self._allowed or self._owner is not None:
            return None
        return await self._store.claim_code(self._bot_id, self._clock.new_id())

    def allows(self, user_id: int) -> bool:
        """Whether this person is served."""
        return self._open or user_id in self._allowed or user_id == self._owner

    async def claim(self, args: str, user_id: int) -> bool:
        """Use a one-time code from a /start link; True when this person is the owner now."""
        code = args.removeprefix(CLAIM_PREFIX)
        if not code or not await self._store.claim(self._bot_id, code, user_id):
            return False
        self._owner = user_id
        return True


def is_claim(args: str) -> bool:
    """Whether the payload of a /start is a claim."""
    return args.startswith(CLAIM_PREFIX)


def claim_link(bot_username: str, code: str) -> str:
    """The link that makes whoever opens it the owner."""
    return f"https://t.me/{bot_username}?start={CLAIM_PREFIX}{code}"
