"""A fault: a small change that takes one protection away, and the tests that must notice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """`old` stands exactly once in `file` and is replaced by `new`.

    `guard` names the tests, as pytest does, at least one of which must fail then; `breaks` says
    what is gone and what that does to a promise. A `slow` one takes more than half a minute.
    """

    name: str
    file: str
    old: str
    new: str
    guard: tuple[str, ...]
    breaks: str
    slow: bool = False

    def applied(self, text: str) -> str:
        """The file's text with the fault in it. Raises FaultDoesNotFit when it has no one place."""
        places = text.count(self.old)
        if places != 1:
            raise FaultDoesNotFit(f"its old text stands {places} times in {self.file}")
        return text.replace(self.old, self.new)


class FaultDoesNotFit(Exception):
    """The file isn't what it was when the fault was written."""
