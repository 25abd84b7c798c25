"""Reading a message: sentence by sentence, first shape that fits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from app.domain.candidate import Candidate, Extracted, Forget
from app.domain.conversation import Message
from app.domain.evidence import Quote
from app.domain.record import FactCategory, Slot
from app.memory.evidence import is_evidence
from app.memory.rule_extractor.guards import states
from app.memory.rule_extractor.shapes import (
    ASK,
    CORRECTION,
    FIRM,
    FORGET,
    LOOSE,
    NOT_A_THING,
    Shape,
)
from app.memory.slots import make_slot

MAX_CHARS = 1_500
MAX_SENTENCES = 20
FIRM_CONFIDENCE = 0.95
LOOSE_CONFIDENCE = 0.8
_SENTENCE = re.compile(r"[^.!?。！？।\n]+(?:\.(?=\w)[^.!?。！？।\n]*)*([.!?。！？।]?)")
_LEAD_IN = re.compile(
    r"^(?:(?:hi|hey|hello|so|well|ok|okay|btw|by the way|and|also|oh|yes|yeah|no|actually)[,! ]+)+",
    re.IGNORECASE,
)
_PLACE_TAIL = re.compile(r"\s+(?:now|these days|at the moment|lol|haha+|btw|though|tho)$", re.I)
_BARE = re.compile(r"(?:[^\W_][\w'’.-]*)(?: [^\W_][\w'’.-]*){0,3}[.!]?$")
_NAME_ASKED = re.compile(
    r"what(?:'s| is) (?:your |the )(?P<a>\w+)(?:'s name| called)\?|"
    r"what(?:'s| is) your (?P<b>\w+) called\?",
    re.IGNORECASE,
)


def extract(
    message: Message, *, now: datetime, zone: str = "UTC", previous: Message | None = None
) -> Extracted:
    """What a typed message states in plain shapes; nothing for any other message.

    `candidates` are firm; `hints` are looser shapes. Time grows with the length of the message.
    """
    if not is_evidence(message) or len(message.content) > MAX_CHARS:
        return Extracted()
    candidates: list[Candidate] = []
    hints: list[Candidate] = []
    forgets: list[Forget] = []
    for sentence, end in _sentences(message.content):
        quote = (Quote(seq=message.seq, text=sentence),)
        asked = ASK.match(sentence)
        if asked and end != "?":
            candidates.append(_asked(asked["clause"].strip(), quote))
        elif (words := _to_forget(sentence)) and end != "?":
            forgets.append(Forget(words=words, quote=quote[0]))
        elif states(sentence, end):
            _read(sentence, quote, candidates, hints)
    answer = None if candidates or hints else _answer(message, previous)
    if answer is not None:
        candidates.append(answer)
    return Extracted(candidates=tuple(candidates), hints=tuple(hints), forgets=tuple(forgets))


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    for count, found in enumerate(_SENTENCE.finditer(text)):
        if count >= MAX_SENTENCES:
            return
        sentence = found[0].removesuffix(found[1]).strip(" \t,;-–—)(😀😊🙂❤️")
        if sentence:
            yield sentence, found[1]


def _read(
    sentence: str, quote: tuple[Quote, ...], candidates: list[Candidate], hints: list[Candidate]
) -> None:
    correction = CORRECTION.match(sentence)
    if correction:
        candidates.append(_correction(sentence, correction, quote))
        return
    core = _LEAD_IN.sub("", sentence)
    firm = _first(FIRM, core, quote, FIRM_CONFIDENCE)
    if firm is not None:
        candidates.append(firm)
        return
    loose = _first(LOOSE, core, quote, LOOSE_CONFIDENCE)
    if loose is not None:
        hints.append(loose)


def _first(
    shapes: Sequence[Shape], sentence: str, quote: tuple[Quote, ...], confidence: float
) -> Candidate | None:
    said = _PLACE_TAIL.sub("", sentence.replace("’", "'"))
    for shape in shapes:
        found = shape.pattern.match(said)
        if found is None:
            continue
        slot, value = _slot_of(shape, found.groupdict())
        if slot is None or value is None or slot.subject in NOT_A_THING:
            continue
        return Candidate(
            text=_capitalised(sentence),
            quotes=quote,
            source="rules",
            category=shape.category or _category(slot),
            slot=slot,
            value=value,
            sensitivity=shape.sensitivity,
            confidence=confidence,
            confidence_reason="plain shape",
        )
    return None


def _slot_of(shape: Shape, groups: dict[str, str | None]) -> tuple[Slot | None, str | None]:
    value = (groups.get("value") or groups.get("v2") or "").strip(" .")
    subject, predicate = shape.subject, shape.predicate
    if groups.get("relation"):
        subject = groups["relation"] or ""
    elif groups.get("owner") and groups.get("subject"):
        subject = f"{groups['owner']}/{groups['subject']}"
    elif groups.get("owner"):
        subject, predicate = groups["owner"] or "", groups.get("predicate") or ""
    elif groups.get("subject"):
        subject = groups["subject"] or ""
    if groups.get("favorite"):
        predicate = f"favorite_{groups['favorite']}"
    if groups.get("attribute"):
        predicate = groups["attribute"] or ""
    if not value or value.casefold().split(" ")[0] in ("not", "no", "so", "going", "gone"):
        return None, None
    return make_slot(subject, predicate), value


def _asked(clause: str, quote: tuple[Quote, ...]) -> Candidate:
    known = _first(FIRM, clause, quote, FIRM_CONFIDENCE) or _first(
        LOOSE, clause, quote, FIRM_CONFIDENCE
    )
    base = known or Candidate(
        text=_capitalised(clause), quotes=quote, source="rules", confidence=FIRM_CONFIDENCE
    )
    return base.model_copy(update={"asked": True, "confidence_reason": "asked for"})


def _correction(sentence: str, found: re.Match[str], quote: tuple[Quote, ...]) -> Candidate:
    thing = found["thing"]
    value, replaces = found["value"].strip(), found["replaces"].strip()
    slot = Slot(subject="?", predicate="?")
    referent: str | None = "it"
    if thing:
        referent = None
        owner, _, attribute = thing.partition("'s ")
        made = make_slot(owner, attribute) if attribute else make_slot("self", thing)
        slot = made or slot
    return Candidate(
        text=_capitalised(sentence),
        quotes=quote,
        source="rules",
        slot=Slot(subject="?", predicate="?") if thing is None else slot,
        value=value,
        confidence=FIRM_CONFIDENCE,
        confidence_reason="correction",
        correction=True,
        replaces=replaces,
        referent=referent,
    )


def _to_forget(sentence: str) -> str | None:
    found = FORGET.match(sentence)
    return found["words"].strip() if found else None


def _answer(message: Message, previous: Message | None) -> Candidate | None:
    """A bare name after the bot's question for one."""
    if previous is None or not _BARE.match(message.content.strip()):
        return None
    asked = _NAME_ASKED.search(previous.content)
    said = message.content.strip().rstrip(".!")
    if asked is None or said.casefold() in ("yes", "no", "nope", "none", "ok", "nothing"):
        return None
    thing = asked["a"] or asked["b"]
    return Candidate(
        text=f"My {thing} is called {said}",
        quotes=(Quote(seq=message.seq, text=said, answers=previous.seq),),
        source="rules",
        slot=make_slot(thing, "name"),
        value=said,
        confidence=FIRM_CONFIDENCE,
        confidence_reason="answer",
    )


def _category(slot: Slot) -> FactCategory:
    return FactCategory.PERSONAL if slot.subject == "self" else FactCategory.RELATIONSHIP


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
