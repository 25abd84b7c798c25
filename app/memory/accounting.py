"""Accounting: a model's review of records may shrink memory only by answering for every item."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from datetime import datetime
from typing import Literal

from pydantic import Field

from app.domain.candidate import Candidate
from app.domain.conversation import Frozen
from app.domain.decision import Ended
from app.domain.record import (
    Insight,
    LineageKind,
    Record,
    RecordEnd,
    Significance,
    SummarySentence,
)
from app.memory.merge import alike, merged
from app.memory.normalise import words
from app.memory.support import unrelated, unsupported

MAX_TEXT = 500
"""Characters of a rewritten item, a summary sentence or an insight."""
JOINT = len("; and ")
"""Characters that a rewritten item may have for each item it takes in, besides their own."""
MAX_SENTENCES = 12
MAX_DROPPED_SHARE = 0.3


_OPENER_WORDS = (
    "i my me we our us he his she her they their them it its a an the this that these those there "
    "both each all some every no not never always often usually sometimes once on in at for from "
    "with and but also since when after before has have had is are was were do does did likes "
    "loves hates owns works lives plays speaks feels prefers went got moved started"
)
_OPENERS = frozenset(_OPENER_WORDS.split(" "))
"""What a sentence may begin with that is no name in spite of its capital."""
_NEGATION_WORDS = (
    "no not never none nor cannot without nobody nothing nicht kein keine keinen keinem keiner nie "
    "ohne pas jamais sans aucun nunca jamás sin não sem mai senza niet geen nooit не нет никогда "
    "без नहीं मत لا ليس لم değil yok hayır"
)
_NEGATIONS = frozenset(_NEGATION_WORDS.split(" "))
_UNSPACED_NEGATIONS = re.compile("[不没沒無无非]|ない|ません|않|없|못|ไม่")


class Verdict(Frozen):
    """What a model says of one item: kept, rewritten as `text`, merged `into` another, dropped."""

    id: str
    action: Literal["kept", "rewritten", "merged", "dropped"]
    text: str | None = None
    into: str | None = None


class InsightClaim(Frozen):
    """A guess about the person, and the ids of the records it is drawn from."""

    text: str
    sources: tuple[str, ...]


class Account(Frozen):
    """A model's answer for the items it was given; None leaves summary or insights as they are."""

    verdicts: tuple[Verdict, ...]
    summary: tuple[SummarySentence, ...] | None = None
    style: str | None = None
    insights: tuple[InsightClaim, ...] | None = None


class Refused(Frozen):
    """Why an account is not carried out at all."""

    reason: Literal["drops_too_much", "accounts_for_nothing"]


class Counts(Frozen):
    """How many items met each fate; the unaccounted are among the kept."""

    kept: int = 0
    rewritten: int = 0
    merged: int = 0
    dropped: int = 0
    unaccounted: int = 0


class Settled(Frozen):
    """What an account comes to: the records that stay, in the order given, and what ended.

    `merged_into` says of each merged id which record holds it now. A summary or insights of None
    mean that the old ones stay.
    """

    records: tuple[Record, ...]
    ended: tuple[Ended, ...] = ()
    merged_into: dict[str, str] = Field(default_factory=dict)
    summary: tuple[SummarySentence, ...] | None = None
    style: str | None = None
    insights: tuple[InsightClaim, ...] | None = None
    counts: Counts = Counts()


def settle(
    account: Account,
    given: Sequence[Record],
    *,
    now: datetime,
    max_insights: int = 5,
    max_dropped_share: float = MAX_DROPPED_SHARE,
) -> Settled | Refused:
    """Each item's one fate; whatever is unaccounted for, contradictory or unsound is kept.

    An account that names no item, or wants to drop more than the share, or everything, is
    refused. Pinned items and those of major significance are never dropped.
    """
    known = {record.id: record for record in given}
    verdicts = _clear(account.verdicts, known)
    if known and not any(verdict.id in known for verdict in account.verdicts):
        return Refused(reason="accounts_for_nothing")
    unwanted = [i for i, verdict in verdicts.items() if verdict.action == "dropped"]
    if unwanted and (len(unwanted) > max_dropped_share * len(known) or len(unwanted) == len(known)):
        return Refused(reason="drops_too_much")
    fixed = {i for i, r in known.items() if r.pinned or r.significance is Significance.MAJOR}
    dropped = set(unwanted) - fixed
    groups = _groups(verdicts, known, dropped)
    merged_into = {member: target for target, group in groups.items() for member in group}
    records: dict[str, Record] = {}
    ended: list[Ended] = []
    rewritten = 0
    for item, record in known.items():
        if item in dropped:
            ended.append(_ended(record, RecordEnd.EVICTED, LineageKind.EVICTED))
        elif item in merged_into:
            target = merged_into[item]
            ended.append(_ended(record, RecordEnd.MERGED, LineageKind.MERGED_INTO, target))
        else:
            members = [known[member] for member in groups.get(item, ())]
            records[item] = _result(record, members, verdicts.get(item), now)
            if records[item].text != record.text:
                rewritten += 1
                ended.append(_ended(record, RecordEnd.REFINED, LineageKind.REFINES, item))
    return Settled(
        records=tuple(records.values()),
        ended=tuple(ended),
        merged_into=merged_into,
        summary=_summary(account.summary, records, merged_into, dropped),
        style=(account.style or "").strip()[:MAX_TEXT] or None,
        insights=_insights(account.insights, records, merged_into, dropped, max_insights),
        counts=Counts(
            kept=len(records) - rewritten,
            rewritten=rewritten,
            merged=len(merged_into),
            dropped=len(dropped),
            unaccounted=len(known) - len(verdicts),
        ),
    )


def prune(
    summary: Sequence[SummarySentence], insights: Sequence[Insight], alive: Set[str]
) -> tuple[tuple[SummarySentence, ...], tuple[Insight, ...]]:
    """Sentences and insights all of whose sources are active; the others go with their sources."""
    return (
        tuple(sentence for sentence in summary if alive >= set(sentence.sources)),
        tuple(insight for insight in insights if alive >= set(insight.sources)),
    )


def redirect(
    summary: Sequence[SummarySentence],
    insights: Sequence[Insight],
    merged_into: Mapping[str, str],
) -> tuple[tuple[SummarySentence, ...], tuple[Insight, ...]]:
    """Both with sources that were merged replaced by what holds them now.

    An insight that would rest on a single record goes; a guess needs two.
    """
    sentences = [
        s.model_copy(update={"sources": _followed(s.sources, merged_into)}) for s in summary
    ]
    guesses = [
        i.model_copy(update={"sources": _followed(i.sources, merged_into)}) for i in insights
    ]
    return tuple(sentences), tuple(guess for guess in guesses if len(guess.sources) > 1)


def _clear(verdicts: Sequence[Verdict], known: Mapping[str, Record]) -> dict[str, Verdict]:
    """The verdicts on given items about which the account doesn't contradict itself."""
    found: dict[str, Verdict] = {}
    doubtful: set[str] = set()
    for verdict in verdicts:
        if verdict.id in known and found.setdefault(verdict.id, verdict) != verdict:
            doubtful.add(verdict.id)
    return {item: verdict for item, verdict in found.items() if item not in doubtful}


def _groups(
    verdicts: Mapping[str, Verdict], known: Mapping[str, Record], dropped: Set[str]
) -> dict[str, list[str]]:
    """The merges that hold, as members by the record they go into, in the order given.

    A merge that doesn't hold leaves its item where it is, and with it what was merged into it;
    so the rest is looked at again until all of it holds.
    """
    links = {
        item: verdicts[item].into or ""
        for item in known
        if item in verdicts and verdicts[item].action == "merged"
    }
    links = {i: into for i, into in links.items() if into in known and into not in dropped}
    for item in _circular(links):
        del links[item]
    while True:
        groups: dict[str, list[str]] = {}
        goals: dict[str, str] = {}
        for item in links:
            groups.setdefault(_goal(item, links, goals), []).append(item)
        unsound = [
            item
            for target, members in groups.items()
            for item in _unsound(target, members, verdicts.get(target), known)
        ]
        if not unsound:
            return groups
        for item in unsound:
            del links[item]


def _circular(links: Mapping[str, str]) -> set[str]:
    """The items that would come back to themselves."""
    seen: set[str] = set()
    circular: set[str] = set()
    for start in links:
        path: list[str] = []
        item = start
        while item in links and item not in seen:
            seen.add(item)
            path.append(item)
            item = links[item]
        if item in path:
            circular.update(path[path.index(item) :])
    return circular


def _goal(item: str, links: Mapping[str, str], goals: dict[str, str]) -> str:
    """Where a chain of merges ends; `goals` keeps what was found, so that none is walked twice."""
    path = []
    while item in links and item not in goals:
        path.append(item)
        item = links[item]
    goal = goals.get(item, item)
    goals.update(dict.fromkeys(path, goal))
    return goal


def _unsound(
    target: str, members: Sequence[str], verdict: Verdict | None, known: Mapping[str, Record]
) -> list[str]:
    """The members that can't go into the target: of another sort, or said nowhere in its text."""
    result = known[target]
    odd: list[str] = []
    for member in members:
        if alike(known[member], result):
            result = merged(result, known[member])
        else:
            odd.append(member)
    if odd:
        return odd
    text = _text(known[target], [known[member] for member in members], verdict)
    return [member for member in members if not _carried(known[member], text)]


def _result(
    record: Record, members: Sequence[Record], verdict: Verdict | None, now: datetime
) -> Record:
    """The record with everything that goes into it, in its new words where they hold."""
    text = _text(record, members, verdict)
    if not members and text == record.text:
        return record
    result = record
    for member in members:
        result = merged(result, member)
    return result.model_copy(update={"text": text, "updated_at": now})


def _text(record: Record, members: Sequence[Record], verdict: Verdict | None) -> str:
    if verdict is None or verdict.action != "rewritten":
        return record.text
    text = (verdict.text or "").strip()
    return text if _faithful(text, record, members) else record.text


def _faithful(text: str, record: Record, members: Sequence[Record]) -> bool:
    """Whether new words say nothing that the old ones don't, and keep value and numbers.

    What is added without a name or a number shows only in the length.
    """
    longest = sum(len(source.text) for source in (record, *members)) + JOINT * len(members)
    if not words(text) or len(text) > min(MAX_TEXT, longest) or not _says_value(text, record):
        return False
    sources = [
        said
        for source in (record, *members)
        for said in (source.text, source.event_date or "", *(s.quote for s in source.evidence))
    ]
    if unrelated(text, sources) or unsupported(_claim(text), sources, ()) is not None:
        return False
    if _denies(text) != any(_denies(source.text) for source in (record, *members)):
        return False
    left = (text, record.event_date or "")
    return unsupported(_claim(record.text), left, (), translated=True) is None


def _carried(record: Record, text: str) -> bool:
    """Whether a text still says what a record said, as far as names, numbers and value show."""
    if not _says_value(text, record) or unrelated(record.text, [text]):
        return False
    if _denies(text) != _denies(record.text):
        return False
    claim = Candidate(text=record.text, source="model")
    return unsupported(claim, [text, record.event_date or ""], ()) is None


def _denies(text: str) -> bool:
    """Whether a text says that something is not so, in the languages that are known here."""
    said = words(text)
    plain = any(word in _NEGATIONS or word.endswith("n't") for word in said)
    return plain or _UNSPACED_NEGATIONS.search(text) is not None


def _says_value(text: str, record: Record) -> bool:
    value = set(words(record.value or ""))
    return value <= set(words(text)) or not value <= set(words(record.text))


def _claim(text: str) -> Candidate:
    """A text whose first word is looked at as well: "Anna is my sister" brings in a name."""
    first = words(text)[:1]
    return Candidate(text=text if set(first) <= _OPENERS else f"- {text}", source="model")


def _ended(record: Record, end: RecordEnd, lineage: LineageKind, into: str | None = None) -> Ended:
    return Ended(record=record, end=end, lineage=lineage, replaced_by=into)


def _summary(
    claimed: Sequence[SummarySentence] | None,
    records: Mapping[str, Record],
    merged_into: Mapping[str, str],
    dropped: Set[str],
) -> tuple[SummarySentence, ...] | None:
    """The sentences that rest on something; None when none does, so that the old ones stay."""
    kept = []
    for sentence in claimed or ():
        text = sentence.text.strip()[:MAX_TEXT]
        sources = [i for i in _followed(sentence.sources, merged_into) if i in records]
        if text and sources and dropped.isdisjoint(sentence.sources):
            kept.append(SummarySentence(text=text, sources=tuple(sources)))
    return tuple(kept[:MAX_SENTENCES]) or None


def _insights(
    claimed: Sequence[InsightClaim] | None,
    records: Mapping[str, Record],
    merged_into: Mapping[str, str],
    dropped: Set[str],
    most: int,
) -> tuple[InsightClaim, ...] | None:
    """The guesses drawn from two records or more, none of them sensitive; None as above."""
    kept: dict[str, InsightClaim] = {}
    for claim in claimed or ():
        text = claim.text.strip()[:MAX_TEXT]
        sources = [i for i in _followed(claim.sources, merged_into) if i in records]
        delicate = any(records[i].sensitivity == "sensitive" for i in sources)
        if text and len(sources) > 1 and not delicate and dropped.isdisjoint(claim.sources):
            kept.setdefault(text, InsightClaim(text=text, sources=tuple(sources)))
    return tuple(kept.values())[: max(0, most)] or None


def _followed(sources: Sequence[str], merged_into: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(merged_into.get(source, source) for source in sources))
