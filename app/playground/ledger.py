"""What really happened, in order: the witness that crash tests count from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TextIO

Kind = Literal[
    "person_message",
    "person_edit",
    "update_created",
    "update_delivered",
    "update_confirmed",
    "bot_message",
    "bot_edit",
    "bot_delete",
    "bot_reaction",
    "typing",
    "bot_button_answer",
    "bot_away",
    "bot_back",
]


@dataclass(frozen=True, slots=True)
class Entry:
    """One fact. `at` is Unix seconds; `seq` counts from 1 without gaps.

    `acknowledged` is False where the bot was never told that Telegram had accepted its call.
    """

    seq: int
    at: float
    kind: Kind
    bot_id: int | None = None
    method: str = ""
    chat_id: int | None = None
    message_id: int | None = None
    thread_id: int | None = None
    person_id: int | None = None
    update_id: int | None = None
    update_kind: str = ""
    text: str = ""
    reply_to: int | None = None
    acknowledged: bool = True


class Ledger:
    """An append-only list of entries, also written to a JSON-lines file when one is named."""

    def __init__(self, now: Callable[[], float], path: Path | None = None) -> None:
        self._now = now
        self._entries: list[Entry] = []
        self._file: TextIO | None = path.open("a", encoding="utf-8") if path else None

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def append(self, kind: Kind, **fields: Any) -> Entry:
        """Write one fact down; `fields` are an Entry's."""
        entry = Entry(seq=len(self._entries) + 1, at=self._now(), kind=kind, **fields)
        self._entries.append(entry)
        if self._file is not None:
            self._file.write(json.dumps(asdict(entry), ensure_ascii=False) + "\n")
            self._file.flush()
        return entry

    @property
    def entries(self) -> Sequence[Entry]:
        """Everything so far."""
        return self._entries

    def since(self, seq: int) -> list[Entry]:
        """Everything after entry number `seq`."""
        return self._entries[max(0, seq) :]

    def of(self, kind: Kind, chat_id: int | None = None) -> list[Entry]:
        """The entries of one kind, of one chat where it is given."""
        return [
            entry
            for entry in self._entries
            if entry.kind == kind and (chat_id is None or entry.chat_id == chat_id)
        ]

    def bot_messages(self, chat_id: int | None = None) -> list[Entry]:
        """Every message accepted from a bot."""
        return self.of("bot_message", chat_id)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
