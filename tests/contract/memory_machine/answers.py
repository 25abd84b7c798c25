"""What a model answers: true rows and every kind of false ones, sound accounts and bad ones."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from enum import Enum
from itertools import cycle, islice, pairwise
from typing import Any, NamedTuple

from app.domain.reply import MemoryOp, PromptMessage, ReplyBundle
from app.domain.turn_notes import TurnNotes
from app.errors import ModelError, ModelFailure
from app.prompts.reply_schema import JsonSchema
from tests.contract.memory_machine.faults import Faults
from tests.contract.memory_machine.sayings import FACTS, TAIL, Fact, stated_in

_LINE = re.compile(r"^#(\d+) \[[^\]]*\] (person|bot|forwarded)[^:]*: (.*)$", re.MULTILINE)
_ITEM = re.compile(r"^\[(\w+)\] (.*) \([^()]*\)$", re.MULTILINE)


class Manner(Enum):
    """How a row treats the truth."""

    TRUE = "true"
    REWORDED = "reworded"
    WHOLE_MESSAGE = "whole message"
    CORRECTING = "correcting"
    TARGETED = "targeted"
    PASSING = "passing"
    DELICATE = "delicate"
    UNSURE = "unsure"
    MISQUOTED = "misquoted"
    OF_THE_BOT = "of the bot"
    ELSEWHERE = "elsewhere"
    INVENTED = "invented"
    OF_SOMEBODY_ELSE = "of somebody else"
    BROKEN = "broken"


class Verdict(Enum):
    """What an account says of an item; JOINED merges it into the one most like it, in one text."""

    KEPT = "kept"
    MISSING = "missing"
    SHORTENED = "shortened"
    FALSIFIED = "falsified"
    MERGED = "merged"
    JOINED = "joined"
    DROPPED = "dropped"
    DISPUTED = "disputed"


class Dress(Enum):
    """What the answer looks like as a whole."""

    PLAIN = "plain"
    FENCED = "fenced"
    TWICE = "twice"
    CUT_OFF = "cut off"
    NONSENSE = "nonsense"
    DOWN = "down"


class Answer(NamedTuple):
    """What the model makes of whatever it is asked; `picks` say which lines rows are about."""

    manners: tuple[Manner, ...] = ()
    picks: tuple[int, ...] = (0,)
    verdicts: tuple[Verdict, ...] = (Verdict.KEPT,)
    strangers: tuple[str, ...] = ()
    dress: Dress = Dress.PLAIN

    def to(self, call: str, prompt: str) -> str:
        """The raw answer to a prompt."""
        if self.dress is Dress.DOWN:
            raise ModelError(ModelFailure.SERVER)
        if self.dress is Dress.NONSENSE:
            return "I'd rather talk about the weather."
        reviews = call in ("compress", "consolidate")
        key = "items" if reviews else "rows"
        found = self._verdicts(prompt) if reviews else self._rows(prompt)
        if self.dress is Dress.TWICE:
            found = [*found, *found]
        extra = self._drawn(prompt) if reviews else {"traits": [], "moods": []}
        raw = json.dumps({key: found, **extra})
        if self.dress is Dress.FENCED:
            return f"Here you are:\n```json\n{raw}\n```"
        return raw[: len(raw) * 2 // 3] if self.dress is Dress.CUT_OFF else raw

    def _rows(self, prompt: str) -> list[Any]:
        lines = [(int(n), who, said) for n, who, said in _LINE.findall(prompt)]
        stated = [(n, f, said) for n, who, said in lines for f in stated_in(said) if who != "bot"]
        bots = [n for n, who, _ in lines if who == "bot"]
        notes = [item for item, _ in _NOTE.findall(prompt)]
        rows: list[Any] = []
        for manner, pick in zip(self.manners, cycle(self.picks), strict=False):
            if not stated:
                break
            number, fact, said = stated[-1 - pick % len(stated)]
            row = _row(fact, number)
            row |= self._twist(manner, fact, said, pick, bots, notes)
            rows.append("no row" if manner is Manner.BROKEN else row)
        return rows

    def _twist(
        self,
        manner: Manner,
        fact: Fact,
        said: str,
        pick: int,
        bots: Sequence[int],
        notes: Sequence[str],
    ) -> dict[str, Any]:
        """What makes a row of a manner different from a true one."""
        loose = {"subject": None, "predicate": None, "value": None}
        rivals = [f for f in FACTS if f.topic == fact.topic and f is not fact]
        named = next((f for f in rivals if f.word[0].isupper()), fact)
        stranger = self.strangers[pick % len(self.strangers)] if self.strangers else "m0"
        return {
            Manner.REWORDED: {"text": fact.again, **loose},
            Manner.WHOLE_MESSAGE: {"quote": said},
            Manner.CORRECTING: {"correction": True, "replaces": rivals[0].word},
            Manner.TARGETED: {"target": notes[pick % len(notes)] if notes else None},
            Manner.PASSING: {"class": "temporary_state", "expires_on": "2026-03-09"},
            Manner.DELICATE: {"sensitivity": "sensitive", "epistemic": "inferred"},
            Manner.UNSURE: {"confidence": 0.3},
            Manner.MISQUOTED: {"quote": f"{fact.said}, as everybody knows"},
            Manner.OF_THE_BOT: {"message": bots[pick % len(bots)] if bots else 0},
            Manner.ELSEWHERE: {"message": 10_000 + pick},
            Manner.INVENTED: {"text": "My dog is called Zorro", "value": "Zorro"},
            Manner.OF_SOMEBODY_ELSE: {"text": named.said, "target": stranger},
        }.get(manner, {})

    def _verdicts(self, prompt: str) -> list[dict[str, Any]]:
        items: list[tuple[str, str]] = _ITEM.findall(prompt)
        rows: list[dict[str, Any]] = [{"id": s, "action": "dropped"} for s in self.strangers[:2]]
        texts = dict(items)
        plan = list(islice(cycle(self.verdicts), len(items)))
        for (item, text), verdict in zip(items, plan, strict=True):
            into = _nearest(item, texts)
            if verdict is Verdict.MISSING:
                continue
            said = {
                Verdict.SHORTENED: ("rewritten", _shorter(text), None),
                Verdict.FALSIFIED: ("rewritten", "My dog is called Zorro", None),
                Verdict.MERGED: ("merged", None, into),
                Verdict.JOINED: ("merged", None, into),
                Verdict.DROPPED: ("dropped", None, None),
            }.get(verdict, ("kept", None, None))
            rows.append(dict(zip(("id", "action", "text", "into"), (item, *said), strict=True)))
            if verdict is Verdict.JOINED and len(items) > 1:
                joined = f"{_shorter(texts[into])} and {_shorter(text)}"
                rows = [row for row in rows if row["id"] != into]
                rows.append({"id": into, "action": "rewritten", "text": joined})
            if verdict is Verdict.DISPUTED:
                rows.append({"id": item, "action": "dropped"})
        return rows

    def _drawn(self, prompt: str) -> dict[str, Any]:
        """A summary and insights, on items and on none."""
        ids = [item for item, _ in _ITEM.findall(prompt)]
        pairs = list(pairwise(ids))
        return {
            "summary": [
                {"text": "Lives a quiet life", "sources": ids[:2]},
                {"text": "Owns a castle", "sources": list(self.strangers)},
            ],
            "style": "Likes short sentences",
            "insights": [{"text": "Seems to like evenings", "sources": list(p)} for p in pairs],
        }


_NOTE = re.compile(r"^\[(\w+)\] (.*)$", re.MULTILINE)
SILENCE = Answer()


def _row(fact: Fact, number: int) -> dict[str, Any]:
    subject, predicate = fact.slot or (None, None)
    return {
        "kind": "fact",
        "text": fact.said,
        "message": number,
        "quote": fact.said,
        "subject": subject,
        "predicate": predicate,
        "value": fact.word if fact.slot else None,
        "confidence": 0.9,
    }


def _nearest(item: str, texts: dict[str, str]) -> str:
    """The other item that shares most words with one; itself when there is no other."""
    mine = set(texts[item].split())
    others = [other for other in texts if other != item]
    return max(others, key=lambda other: len(mine & set(texts[other].split())), default=item)


def _shorter(text: str) -> str:
    short = text.replace(TAIL, "")
    return short if short != text else text.rstrip(".")


class ScriptedModel:
    """A model that answers as told; while it thinks, others may come in between."""

    name = "scripted"
    is_offline = False

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self.answer = SILENCE
        self.replies: dict[str, ReplyBundle] = {}
        self.calls = 0

    def context_tokens(self) -> int:
        """Enough for any prompt."""
        return 100_000

    def will_say(self, to: str, reply: str, ops: Sequence[MemoryOp] = ()) -> None:
        """The reply to a message."""
        self.replies[to] = ReplyBundle(reply=reply, memory_ops=tuple(ops))

    async def generate_reply_bundle(
        self, prompt: Sequence[PromptMessage], notes: TurnNotes | None = None
    ) -> ReplyBundle:
        """The reply that was set for what was said last."""
        await self._faults.let_others("model")
        said = notes.said if notes else ""
        return self.replies.get(said, ReplyBundle(reply="I see."))

    async def complete(
        self, call: str, prompt: Sequence[PromptMessage], schema: JsonSchema | None = None
    ) -> str:
        """The scripted answer, as it fits the prompt."""
        self.calls += 1
        answer = self.answer
        await self._faults.let_others("model")
        return answer.to(call, prompt[-1].content)
