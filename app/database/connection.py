"""The one door to MongoDB: opens it, names its failures in our words, makes its indexes.

What a store needs of the driver it takes from here, so that no other file imports the driver.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

from motor.motor_asyncio import AsyncIOMotorClient, AsyncIOMotorCollection, AsyncIOMotorDatabase
from pymongo import IndexModel, ReturnDocument
from pymongo.errors import (
    BulkWriteError,
    ConfigurationError,
    ConnectionFailure,
    DocumentTooLarge,
    DuplicateKeyError,
    InvalidURI,
    OperationFailure,
    PyMongoError,
)

from app.errors import ConfigError, StoreError, StoreUnavailable

Document = dict[str, Any]
Collection = AsyncIOMotorCollection[Document]
Index = IndexModel
DuplicateKey = DuplicateKeyError
BulkFailure = BulkWriteError
BEFORE = ReturnDocument.BEFORE
AFTER = ReturnDocument.AFTER

PATIENCE_MS = 5_000
SOCKET_PATIENCE_MS = 20_000
DEFAULT_OPTIONS: Mapping[str, Any] = {
    "appName": "thinkmate",
    "connectTimeoutMS": PATIENCE_MS,
    "serverSelectionTimeoutMS": PATIENCE_MS,
    "socketTimeoutMS": SOCKET_PATIENCE_MS,
    "waitQueueTimeoutMS": SOCKET_PATIENCE_MS,
    "maxPoolSize": 50,
}

# Codes with which a server says that it, or its network, can't do the work just now:
# host unreachable or not found, timeouts, shutting down, stepping down, no primary, interrupted.
PASSING_CODES = frozenset(
    {6, 7, 50, 64, 89, 91, 133, 134, 189, 202, 262, 9001, 10107, 11600, 11602, 13435, 13436}
)
NOT_ALLOWED_CODES = frozenset({13, 18})


class Database:
    """An open database: `db["name"]` is a collection; close it when done."""

    def __init__(self, database: AsyncIOMotorDatabase[Document]) -> None:
        self._database = database

    def __getitem__(self, collection: str) -> Collection:
        return self._database[collection]

    @property
    def name(self) -> str:
        """The database's name on its server."""
        return self._database.name

    async def ping(self) -> None:
        """Return when the server answers; raises StoreUnavailable when it doesn't."""
        with store_errors():
            await self._database.command("ping")

    async def collection_names(self) -> list[str]:
        """The collections there are, sorted, without the server's own."""
        with store_errors():
            names = await self._database.list_collection_names()
        return sorted(name for name in names if not name.startswith("system."))

    async def drop_collection(self, name: str) -> None:
        """Delete a collection with its documents and indexes; harmless when there is none."""
        with store_errors():
            await self._database.drop_collection(name)

    async def drop(self) -> None:
        """Delete the whole database."""
        with store_errors():
            await self._database.client.drop_database(self.name)

    async def close(self) -> None:
        """Close all connections; takes as long as 5 s when the server is gone."""
        await asyncio.to_thread(self._database.client.close)


async def connect(uri: str, database_name: str, *, listeners: Sequence[Any] = ()) -> Database:
    """Open a database whose writes are acknowledged by a majority and journaled.

    Options named in `uri` are kept, but for the write concern. `listeners` are the driver's event
    listeners. Raises ConfigError for a URI or a password that can't work, StoreUnavailable when
    no server answers within 5 s.
    """
    if not uri.startswith(("mongodb://", "mongodb+srv://")):
        raise ConfigError("MONGODB_URI must start with mongodb:// or mongodb+srv://")
    named = {option.partition("=")[0].lower() for option in uri.partition("?")[2].split("&")}
    options = {key: value for key, value in DEFAULT_OPTIONS.items() if key.lower() not in named}
    try:
        client: AsyncIOMotorClient[Document] = AsyncIOMotorClient(
            uri, w="majority", journal=True, tz_aware=True, event_listeners=listeners, **options
        )
    except (InvalidURI, ConfigurationError, ValueError) as error:
        # The driver's text may quote a part of the URI, password included: only its kind is told.
        raise ConfigError(
            f"MONGODB_URI: not a usable address ({type(error).__name__}); it looks like "
            "mongodb://user:password@host:27017, with special characters percent-encoded"
        ) from None
    try:
        await client.admin.command("ping")
    except PyMongoError as error:
        client.close()
        if isinstance(error, OperationFailure) and error.code in NOT_ALLOWED_CODES:
            raise ConfigError("MONGODB_URI: the server refused the user or password") from None
        raise StoreUnavailable(
            f"no database answers at {_host(uri)} ({type(error).__name__})"
        ) from None
    return Database(client[database_name])


async def ensure_indexes(db: Database, indexes: Mapping[str, Sequence[Index]]) -> None:
    """Make the indexes that are missing; harmless when they exist. One round trip a collection."""
    for collection, wanted in indexes.items():
        if wanted:
            with store_errors():
                await db[collection].create_indexes(list(wanted))


_DRIVER_ERRORS = (PyMongoError, DocumentTooLarge)


class _StoreErrors:
    """Translates what the driver raises; keeps no state, so one instance serves everyone."""

    __slots__ = ()

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, _DRIVER_ERRORS):
            translated = _translate(error)
            if translated is not None:
                raise translated from error


_STORE_ERRORS = _StoreErrors()


def store_errors() -> _StoreErrors:
    """`with store_errors():` turns the driver's failures into ours.

    StoreUnavailable where the same call may succeed later; StoreError for the rest. DuplicateKey
    and BulkFailure pass as they are: what they mean is for the store to say.
    """
    return _STORE_ERRORS


def _translate(error: PyMongoError | DocumentTooLarge) -> StoreError | None:
    kind = type(error).__name__
    if isinstance(error, DocumentTooLarge):
        return StoreError(f"the database refused ({kind})")
    code = error.code if isinstance(error, OperationFailure) else None
    unconfirmed = isinstance(error, BulkWriteError) and error.details.get("writeConcernErrors")
    if (
        unconfirmed
        or isinstance(error, ConnectionFailure)
        or error.timeout
        or code in PASSING_CODES
    ):
        return StoreUnavailable(f"the database can't be reached ({kind})")
    if isinstance(error, DuplicateKeyError | BulkWriteError):
        return None
    if code in NOT_ALLOWED_CODES:
        return StoreError("the database user named in MONGODB_URI may not do this")
    return StoreError(f"the database refused ({kind}{'' if code is None else f', code {code}'})")


def _host(uri: str) -> str:
    """The hosts of a URI, without user and password."""
    return uri.partition("://")[2].rpartition("@")[2].partition("/")[0].partition("?")[0]
