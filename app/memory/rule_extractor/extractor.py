"""The extractor: one typed message through the guards and the shapes, in order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime

from app.domain.candidate import Candidate, Extracted, Forget, TraitClaim
from app.domain.conversation import Message
from app.memory.evidence import is_evidence
from app.memory.rule_extractor.answers import answer
from app.memory.rule_extractor.asking import asked
from app.memory.rule_extractor.belonging import belonging
from app.memory.rule_extractor.candidates import candidate
from app.memory.rule_extractor.clauses import Clause, Sentence, clauses, opened, plain, sentences
from app.memory.rule_extractor.corrections import corrections, ended
from app.memory.rule_extractor.dates import local_day
from app.memory.rule_extractor.finding import Finding
from app.memory.rule_extractor.forgetting import forgets
from app.memory.rule_extractor.guards import in_doubt, in_play, stated
from app.memory.rule_extractor.identity import IDENTIFYING, identity
from app.memory.rule_extractor.languages import foreign
from app.memory.rule_extractor.possessive import possessive
from app.memory.rule_extractor.statements import SPEAKING, statements
from app.memory.rule_extractor.traits import foreign_traits, traits

MAX_CHARS = 1_500
MAX_LINES = 12
MAX_SENTENCE = 600
_SHORTEST = 2
_AND_THAT = re.compile(
    r",?\s+and\s+(?:also\s+)?that\s+(?=(?:i|i'm|im|i've|i'll|my|we|we're|our|the)\b)", re.IGNORECASE
)


def extract(
    message: Message, *, now: datetime, zone: str = "UTC", previous: Message | None = None
) -> Extracted:
    """What a typed message says in so many words; nothing for any other kind of message.

    `previous` is the bot's message just before, which a bare answer needs. Relative dates are
    counted from when the message was written, in `zone` (IANA), never later than `now`. Of pasted
    text (more than MAX_CHARS characters or MAX_LINES lines) only an explicit "remember that" on
    its first or last line counts. Never raises on any text.
    """
    content = message.content
    if not is_evidence(message) or len(content.strip()) < _SHORTEST:
        return Extracted()
    today = min(local_day(message.created_at, zone), local_day(now, zone))
    if len(content) > MAX_CHARS or content.count("\n") >= MAX_LINES:
        return _of_pasted(message, today)
    text = plain(content)
    run = _Run(message, today)
    found = sentences(text)
    for sentence in found:
        run.read(sentence)
    answers = previous is not None and previous.role == "assistant" and len(found) == 1
    if previous is not None and answers and not run.findings:
        run.findings.extend(answer(found[0], previous))
    return Extracted() if run.found_any and in_play(content) else run.result()


class _Run:
    """One message being read."""

    def __init__(self, message: Message, today: date) -> None:
        self.message = message
        self.today = today
        self.findings: list[Finding] = []
        self.forgets: list[Forget] = []
        self.traits: list[TraitClaim] = []

    @property
    def found_any(self) -> bool:
        """Whether anything was found so far."""
        return bool(self.findings or self.forgets or self.traits)

    def read(self, sentence: Sentence) -> None:
        """All that one sentence says."""
        if len(sentence.text) > MAX_SENTENCE:
            sentence = sentence._replace(text=sentence.text[:MAX_SENTENCE])
        remembered = asked(sentence)
        if remembered is not None:
            self.findings.extend(_asked(remembered, self.today))
            return
        seq, content = self.message.seq, self.message.content
        forget = forgets(sentence, seq, content)
        if forget is not None:
            self.forgets.append(forget)
            return
        if not self._english(sentence):
            found, forgotten = foreign(sentence, seq, content)
            self.findings.extend(found)
            self.forgets.extend(forgotten)
            if not sentence.asks and not sentence.text.isascii():
                self.traits.extend(
                    foreign_traits(opened(sentence.text, sentence.start), seq, content)
                )

    def result(self) -> Extracted:
        """The candidates of the findings, each said once."""
        made = [(finding, candidate(finding, self.message)) for finding in self.findings]
        return Extracted(
            candidates=_once(c for finding, c in made if finding.firm),
            hints=_once(c for finding, c in made if not finding.firm),
            forgets=tuple(self.forgets),
            traits=tuple(self.traits),
        )

    def _english(self, sentence: Sentence) -> bool:
        """Whether anything was read as English."""
        before = len(self.findings) + len(self.traits)
        statements_ = stated(sentence, clauses(sentence))
        if not statements_:
            return False
        whole = [] if sentence.asks else corrections(sentence, self.today)
        whole = [found for found in whole if not in_doubt(sentence, found.start, found.end)]
        if whole:
            self.findings.extend(whole)
            return True
        for clause in statements_:
            self._clause(sentence, clause)
        return len(self.findings) + len(self.traits) > before

    def _clause(self, sentence: Sentence, clause: Clause) -> None:
        seq, content = self.message.seq, self.message.content
        rest = sentence.text[clause.end - sentence.start :]
        claimed = traits(clause, seq, content, rest)
        if claimed and in_doubt(sentence, clause.start, clause.end):
            claimed = []
        self.traits.extend(claimed)
        if claimed and claimed[0].trait == "timezone":
            return
        if claimed and "pronoun" in clause.text.casefold():
            return
        for found in claims(clause, self.today):
            if not in_doubt(sentence, found.start, found.end):
                correction = found.correction or clause.corrects
                self.findings.append(found._replace(correction=correction))


def claims(clause: Clause, today: date, *, lenient: bool = False) -> list[Finding]:
    """What one English clause says, by the first shape that fits."""
    first = clause.text.split(maxsplit=1)[0].casefold() if clause.text else ""
    if first in ("my", "our"):
        return identity(clause, today) or possessive(clause, today, lenient=lenient)
    found: list[Finding] = []
    if first in IDENTIFYING:
        found = identity(clause, today)
    if not found and first in SPEAKING:
        found = ended(clause, today) or statements(clause, today)
    return found or _belongs(clause, today, lenient=lenient)


def _belongs(clause: Clause, today: date, *, lenient: bool) -> list[Finding]:
    """What is said without "I" or "my" first."""
    low = clause.text.casefold()
    found = belonging(clause) if " my " in low or " our " in low else []
    if not found and (lenient or "'s" in low or low.startswith("the ")):
        found = possessive(clause, today, lenient=lenient)
    return found


def _asked(clause: Clause, today: date) -> list[Finding]:
    """What is to be remembered; "that A, and that B" are two things."""
    found: list[Finding] = []
    start = 0
    for cut in (*_AND_THAT.finditer(clause.text), None):
        text = clause.text[start : cut.start() if cut else None]
        found += _asked_once(Clause(text, clause.start + start), today)
        start = cut.end() if cut else 0
    return found


def _asked_once(clause: Clause, today: date) -> list[Finding]:
    """What is to be remembered: clause by clause where each is a known shape, else in one piece."""
    sentence = Sentence(clause.text, clause.start, False)
    parts = clauses(sentence)
    read = [claims(part, today, lenient=True)[:1] for part in parts]
    if len(parts) > 1 and all(read):
        return [found._replace(asked=True, firm=True) for (found,) in read]
    whole = Finding(clause.start, clause.end, asked=True)
    corrected = corrections(sentence, today)
    single = corrected or (read[0] if len(parts) == 1 and read else [])
    if len(single) == 1:
        return [single[0]._replace(start=clause.start, end=clause.end, asked=True, firm=True)]
    return [whole]


def _of_pasted(message: Message, today: date) -> Extracted:
    text = plain(message.content)
    lines = [sentence for sentence in sentences(text) if len(sentence.text) <= MAX_SENTENCE]
    if not lines:
        return Extracted()
    run = _Run(message, today)
    for sentence in dict.fromkeys((lines[0], lines[-1])):
        remembered = asked(sentence)
        if remembered is not None:
            run.findings.extend(_asked(remembered, today))
    return run.result()


def _once(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    seen: dict[tuple[str, str, str], Candidate] = {}
    for made in candidates:
        slot = made.slot.key if made.slot else ("", "")
        seen.setdefault((*slot, made.value or made.text), made)
    return tuple(seen.values())
