"""A scripted model that reads: it knows some sentences, and finds them wherever it is asked to.

    stage.model.answer = Reader([Known("Trains make me calm"), Known("I live in Leeds", ...)])

It answers replies with one line, extractions with a row for each sentence it knows in the lines
it is to read, and reviews of a whole memory by keeping everything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.doubles.model_behaviours import Behaviour, bundle, text

_LINE = re.compile(r"^#(\d+) \[[^\]]*\] person: (.*)$", re.MULTILINE)
_FROM = re.compile(r"Extract from line #(\d+) on")
_ITEM = re.compile(r"^\[(\w+)\]", re.MULTILINE)


@dataclass(frozen=True)
class Known:
    """A sentence to find, and the row's other fields (kind, subject, sensitivity, ...).

    `says` is the record's text where it isn't the sentence itself.
    """

    sentence: str
    says: str = ""
    row: Mapping[str, Any] = field(default_factory=dict)


class Reader:
    """Counts in `read` how often each sentence was found."""

    def __init__(self, known: Iterable[Known], reply: str = "I see.") -> None:
        self.known = tuple(known)
        self.reply = reply
        self.read: dict[str, int] = {}

    def __call__(self, body: dict[str, Any]) -> Behaviour:
        """The answer to a request."""
        asked = body["messages"][-1]["content"]
        if "<transcript>" in asked or "<memory>" in asked:
            return text(self.answer(asked))
        return bundle(self.reply)

    def answer(self, asked: str) -> str:
        """The answer to background work, given the last message of its prompt."""
        if "<transcript>" in asked:
            value: dict[str, Any] = {"rows": self._rows(asked), "traits": [], "moods": []}
        else:
            items = [{"id": item, "action": "kept"} for item in _ITEM.findall(asked)]
            value = {"items": items, "summary": [], "insights": []}
        return json.dumps(value, ensure_ascii=False)

    def _rows(self, asked: str) -> list[dict[str, Any]]:
        found = _FROM.search(asked)
        first = int(found.group(1)) if found else 1
        rows = []
        for number, line in _LINE.findall(asked):
            for known in self.known:
                if int(number) >= first and known.sentence in line:
                    self.read[known.sentence] = self.read.get(known.sentence, 0) + 1
                    rows.append(_row(known, int(number)))
        return rows


def _row(known: Known, number: int) -> dict[str, Any]:
    return {
        "kind": "fact",
        "text": known.says or known.sentence,
        "message": number,
        "quote": known.sentence,
        "confidence": 0.9,
        **known.row,
    }
