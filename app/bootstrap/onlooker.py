"""A look at the memory of a bot that runs in another process; it starts and locks nothing."""

from __future__ import annotations

from typing import Any

from app.clock import Clock
from app.config import Settings
from app.database.archive import ArchiveStore
from app.database.connection import Database, connect
from app.database.embedded import running_uri
from app.database.profiles import ProfileStore
from app.errors import StoreError
from app.services.memory_card import MemoryCard

SHORT_PATIENCE = "&serverSelectionTimeoutMS=1000"


class Onlooker:
    """Follows the bot's database wherever its restarts take it; one caller at a time."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._clock = Clock()
        self._uri = ""
        self._db: Database | None = None
        self._card: MemoryCard | None = None

    async def card(self, subject: int) -> dict[str, Any] | None:
        """The memory card of a subject; None while the database can't be reached."""
        try:
            cards = await self._reach()
            return await cards.of(subject) if cards else None
        except StoreError:
            await self.aclose()
            return None

    async def aclose(self) -> None:
        """Let go of the database."""
        db, self._db, self._card = self._db, None, None
        if db is not None:
            await db.close()

    async def _reach(self) -> MemoryCard | None:
        given = self._settings.mongodb_uri
        running = None if given else running_uri(self._settings.data_dir)
        uri = given.get_secret_value() if given else running + SHORT_PATIENCE if running else ""
        if uri != self._uri:
            await self.aclose()
            self._uri = uri
        if self._card is None and uri:
            self._db = await connect(uri, self._settings.mongodb_database)
            self._card = MemoryCard(
                ProfileStore(self._db),
                ArchiveStore(self._db),
                self._settings.default_timezone,
                self._clock,
            )
        return self._card
