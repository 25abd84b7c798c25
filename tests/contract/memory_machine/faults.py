"""What goes wrong: a process that ends between two writes, somebody else who comes in between."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from copy import deepcopy
from typing import Any, Literal

from app.database.profiles import COLLECTION as PROFILES

Document = dict[str, Any]
Moment = Literal["model", "commit"]
WRITES = (
    *("update_one", "update_many", "insert_one", "insert_many", "replace_one"),
    *("delete_one", "delete_many", "find_one_and_update"),
)


class Killed(BaseException):
    """The process ended; nothing it does afterwards counts."""


class Faults:
    """What is to go wrong next.

    `dies_at` counts half writes down: an even one ends the process before a write, an odd one
    after it. `meanwhile` is done once, at its moment: during a call of the model, or just before
    a commit of memory.
    """

    def __init__(self, on_profile: Callable[[Document | None, Document], None]) -> None:
        self.dies_at: int | None = None
        self.dead = False
        self.moment: Moment = "commit"
        self.meanwhile: Callable[[], Awaitable[None]] | None = None
        self.on_profile = on_profile

    def alive(self) -> None:
        """Raises Killed once the process has ended."""
        if self.dead:
            raise Killed

    def die(self) -> None:
        """End the process."""
        self.dead = True
        raise Killed

    async def let_others(self, moment: Moment) -> None:
        """Let happen what is to happen at this moment, once."""
        if self.meanwhile is not None and self.moment == moment:
            others, self.meanwhile = self.meanwhile, None
            await others()

    def half(self) -> bool | None:
        """Whether this write is the last: True, dead before it; False, after it; None, neither."""
        if self.dies_at is None:
            return None
        left, self.dies_at = self.dies_at, self.dies_at - 2
        return None if left > 1 else left == 0


class FragileCollection:
    """A collection whose writes may be the last ones of their process."""

    def __init__(self, rows: Any, raw: Any, faults: Faults, *, watched: bool) -> None:
        self._rows = rows
        self._raw = raw
        self._faults = faults
        self._watched = watched

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._rows, name)
        if name not in WRITES:
            return real

        async def write(*args: Any, **options: Any) -> Any:
            return await self._write(real, *args, **options)

        return write

    async def _write(self, real: Any, *args: Any, **options: Any) -> Any:
        faults = self._faults
        faults.alive()
        if self._watched and _commits(args):
            await faults.let_others("commit")
            faults.alive()
        last = faults.half()
        if last:
            faults.die()
        before = self._profiles() if self._watched else {}
        result = await real(*args, **options)
        for subject, after in self._profiles().items() if self._watched else ():
            if before.get(subject) != after:
                faults.on_profile(before.get(subject), after)
        if last is False:
            faults.die()
        return result

    def _profiles(self) -> dict[int, Document]:
        return {document["_id"]: deepcopy(document) for document in self._raw.find({})}


class FragileDatabase:
    """A database all of whose collections are fragile; profiles are watched."""

    def __init__(self, database: Any, faults: Faults) -> None:
        self._database = database
        self._faults = faults

    def __getitem__(self, name: str) -> FragileCollection:
        raw = self._database.delegate[name]
        return FragileCollection(self._database[name], raw, self._faults, watched=name == PROFILES)


def _commits(args: tuple[Any, ...]) -> bool:
    """Whether a write is a commit of memory."""
    return len(args) > 1 and "generation" in args[1].get("$set", ())
