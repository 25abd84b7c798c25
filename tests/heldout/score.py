"""How many of the things people said the deterministic extractor keeps, and how many it invents.

The lines were written by people who had not seen the extractor. Nothing is tuned to them: what
this prints is reported, and a change that it suggests is made for a reason of its own.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from app.domain.candidate import Candidate
from app.domain.conversation import Message
from app.memory.rule_extractor import extract

FOLDER = Path(__file__).parent
NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
FILES = ("utterances", "dialogue")
Row = Mapping[str, Any]
UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True)
class Found:
    """One thing that was read in a message: what it is about and the words it holds."""

    kind: Literal["keep", "forget"]
    about: str
    words: str


@dataclass
class Score:
    """Counts over rows. `kept` findings that were wanted, `borderline` ones that were optional,
    `invented` ones that were neither; `wanted` what there was to find."""

    rows: int = 0
    wanted: int = 0
    kept: int = 0
    borderline: int = 0
    invented: int = 0

    @property
    def precision(self) -> float:
        """The share of findings that are right, those that were optional left out."""
        return self.kept / max(1, self.kept + self.invented)

    @property
    def recall(self) -> float:
        """The share of what there was to find that was found."""
        return self.kept / max(1, self.wanted)

    def as_json(self) -> dict[str, float]:
        """The counts and both shares."""
        shares = {"precision": round(self.precision, 4), "recall": round(self.recall, 4)}
        return {**asdict(self), **shares}


def rows_of(name: str) -> Iterator[Row]:
    """The rows of a corpus."""
    for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def findings(text: str, *, loose: bool) -> list[Found]:
    """What the extractor reads in a message; `loose` with the shapes left to a model."""
    message = Message(seq=1, role="user", content=text, created_at=NOW)
    read = extract(message, now=NOW)
    claims = (*read.candidates, *(read.hints if loose else ()))
    return [
        *(Found("keep", _about(claim), f"{claim.text} {claim.value or ''}") for claim in claims),
        *(Found("forget", "", forget.words) for forget in read.forgets),
    ]


def judge(row: Row, found: Sequence[Found]) -> tuple[Score, list[Found], list[Row]]:
    """The score of one row, with what was invented and what was missed."""
    score = Score(rows=1)
    open_ = list(row["expect"])
    score.wanted = sum(not wish.get("optional") for wish in open_)
    invented: list[Found] = []
    satisfied: list[Row] = []
    for one in found:
        wish = next((w for w in open_ if _fits(w, one)), None)
        if wish is not None:
            open_.remove(wish)
            satisfied.append(wish)
            if wish.get("optional"):
                score.borderline += 1
            else:
                score.kept += 1
        elif any(_fits(w, one) for w in satisfied):
            continue
        else:
            invented.append(one)
            score.invented += 1
    return score, invented, [wish for wish in open_ if not wish.get("optional")]


def total(scores: Sequence[Score]) -> Score:
    """All scores as one."""
    names = Score.__dataclass_fields__
    return Score(**{name: sum(getattr(score, name) for score in scores) for name in names})


def _about(claim: Candidate) -> str:
    return f"{claim.slot.subject} {claim.slot.predicate}" if claim.slot else "self"


def _fits(wish: Row, found: Found) -> bool:
    """Whether a finding is the wished one: the same doing, subject and words."""
    if (wish["do"] == "forget") is not (found.kind == "forget"):
        return False
    if not all(_holds(found.words, word) for word in wish["value"]):
        return False
    if found.kind == "forget" or found.about.startswith("?"):
        return True
    place = f"{found.about} {found.words}"
    return any(about == "self" or _holds(place, about) for about in wish["about"])


def _holds(text: str, words: str) -> bool:
    pattern = rf"(?<!\w){re.escape(words)}(?!\w)"
    unspaced = UNSPACED.search(words)
    return words in text if unspaced else re.search(pattern, text, re.IGNORECASE) is not None


def main() -> int:
    """Print one JSON line a corpus and reading; --misses shows each line that went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.heldout.score", description=__doc__)
    parser.add_argument("--misses", action="store_true", help="show what went wrong, line by line")
    arguments = parser.parse_args()
    for name in FILES:
        for loose in (False, True):
            scores = []
            for row in rows_of(name):
                score, invented, missed = judge(row, findings(row["text"], loose=loose))
                scores.append(score)
                if arguments.misses and loose and (invented or missed):
                    print(row["id"], row["text"], file=sys.stderr)
                    for one in invented:
                        print("   invented:", one, file=sys.stderr)
                    for wish in missed:
                        print("   missed:", wish["about"], wish["value"], file=sys.stderr)
            reading = "without a model" if loose else "with a model, before it reads"
            print(json.dumps({"corpus": name, "read": reading, **total(scores).as_json()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
