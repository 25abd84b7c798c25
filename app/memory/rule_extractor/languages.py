"""Other languages: the same few claims read by tables of shapes."""

from __future__ import annotations

import re

from app.domain.candidate import Forget
from app.domain.evidence import Quote
from app.memory.rule_extractor.clauses import Clause, Sentence, foreign_clauses, opened
from app.memory.rule_extractor.finding import Finding
from app.memory.rule_extractor.guards import foreign_doubt
from app.memory.rule_extractor.language import Language
from app.memory.rule_extractor.latin_languages import LATIN
from app.memory.rule_extractor.other_languages import OTHERS
from app.memory.rule_extractor.vocabulary import word_set
from app.memory.slots import subject_path

_PREDICATES = {
    "name": "name", "nickname": "nickname", "thing": "name", "renamed": "name",
    "birthday": "birthday", "moved": "lives_in", "lives": "lives_in", "works": "works_at",
    "origin": "from", "allergic": "allergic_to", "avoids": "avoids", "likes": "likes",
    "hates": "hates",
}  # fmt: skip
_FIRM = word_set("""name nickname thing renamed corrected birthday moved favorite""")
_MULTI = frozenset({"avoids"})
_NEVER = word_set(
    """que se si cuando quand quando wenn dass nicht no non não pas ne né eso esto isso isto questo
    das es ça cela tu te ti dich du vous lo la le todo tout tutto alles что когда это не тебя
    вас коли тебе це paz paix così aquí aqui ici hier qui здесь тут là ahí así como wie come
    comme"""
)
_END = re.compile(
    r"\s*(?:[,;:，、。;؛،(…\U0001f000-\U0001faff\u2600-\u27bf]|\s[-–—]\s|\s(?:y|e|et|und|и|і|а|pero"
    r"|mas|mais|aber|ma|но|але|ve"
    r"|ama|porque|parce|weil|perché|потому|бо|desde|depuis|seit|dal?|con|com|avec|mit|с|з|и\s+я"
    r"|جدا|و)\s)"
)
_WORDS = re.compile(r"[^\W\d_]+")
_TRAILING = " \t\"'“”«».!?…,;:)~。！"
_SPACELESS = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_LEADING_JOINS = re.compile(r"(?:que|dass|что|що|कि|che)\s+|,\s*(?:dass\s+)?", re.IGNORECASE)
_CASES = {
    "собаку": "собака", "собаки": "собака", "кота": "кот", "кошку": "кошка", "кошки": "кошка",
    "сестру": "сестра", "сестры": "сестра", "брата": "брат", "маму": "мама", "папу": "папа",
    "жену": "жена", "мужа": "муж", "сына": "сын", "дочь": "дочь", "дочку": "дочка",
    "кішку": "кішка",
    "подругу": "подруга", "друга": "друг", "попугая": "попугай", "хомяка": "хомяк",
    "дружину": "дружина", "чоловіка": "чоловік", "доньку": "донька", "бабушку": "бабушка",
    "дедушку": "дедушка", "kız kardeş": "kız kardeş", "köpeğ": "köpek", "çocuğ": "çocuk",
    "bebeğ": "bebek", "ked": "kedi", "कुत्ते": "कुत्ता", "बेटे": "बेटा", "भतीजे": "भतीजा", "बिल्ली": "बिल्ली",
}  # fmt: skip
_OWN_CASES = {("uk", "кота"): "кіт", ("uk", "сестру"): "сестра", ("uk", "сина"): "син"}
"""Words for people and animals as a case changes them, with the form they are kept under."""


_SHORT_QUESTION = 3


def foreign(sentence: Sentence, seq: int, content: str) -> tuple[list[Finding], list[Forget]]:
    """What a sentence says in one of the languages of the tables, and asks to forget."""
    for language in _spoken(sentence.text):
        asked = _asked(language, sentence)
        if asked is not None:
            return asked, []
        forget = _forget(language, sentence, seq, content)
        if forget is not None:
            return [], [forget]
        found = _corrected(language, sentence)
        parts = foreign_clauses(sentence) if not found else []
        said = sentence
        if sentence.asks and len(parts) > 1 and len(parts[-1].text.split()) <= _SHORT_QUESTION:
            # "Me llamo Ana, ¿y tú?": only the last clause asks.
            parts, said = parts[:-1], sentence._replace(asks=False)
        for clause in parts:
            found.extend(_claims(language, said, clause))
        if found:
            return found, []
    return [], []


def _spoken(text: str) -> list[Language]:
    """The languages a sentence may be in, by its letters and small words."""
    words = set(_WORDS.findall(text.casefold()))
    known = LATIN if text.isascii() else (*OTHERS, *LATIN)
    return [
        language
        for language in known
        if not words.isdisjoint(language.words) or language.letters.search(text)
    ]


def _asked(language: Language, sentence: Sentence) -> list[Finding] | None:
    """What a sentence asks to be remembered, with its slot where the rest is a known shape."""
    head = opened(sentence.text, sentence.start)
    for shape in language.shapes:
        if shape.kind != "remember" or sentence.asks:
            continue
        found = shape.pattern.match(head.text.rstrip(" .!。"))
        if found is None:
            continue
        start, end = found.span("w")
        rest = opened(head.text[start:end].rstrip(_TRAILING), head.start + start)
        if len(rest.text) < 2:
            return None
        claims = _claims(language, Sentence(rest.text, rest.start, False), rest)
        whole = Finding(rest.start, rest.end, asked=True)
        if len(claims) == 1:
            whole = claims[0]._replace(start=rest.start, end=rest.end, asked=True, firm=True)
        return [whole]
    return None


def _forget(language: Language, sentence: Sentence, seq: int, content: str) -> Forget | None:
    if sentence.asks:
        return None
    head = opened(sentence.text, sentence.start)
    for shape in language.shapes:
        if shape.kind != "forget":
            continue
        found = shape.pattern.match(head.text.rstrip(" .!。"))
        if found is None:
            continue
        name = "w2" if found.groupdict().get("w2") else "w"
        start, end = found.span(name)
        lead = _LEADING_JOINS.match(head.text, start)
        start = lead.end() if lead else start
        words = content[head.start + start : head.start + end].strip(_TRAILING)
        quote = content[head.start : head.start + found.end()].strip()
        return Forget(words=words, quote=Quote(seq=seq, text=quote)) if words else None
    return None


def _corrected(language: Language, sentence: Sentence) -> list[Finding]:
    """ "Se llama Max, no Rex": with commas, so before the sentence is cut at them."""
    head = opened(sentence.text, sentence.start)
    text = head.text.rstrip(_TRAILING)
    for shape in language.shapes:
        if shape.kind not in ("renamed", "corrected") or sentence.asks:
            continue
        found = shape.pattern.fullmatch(text)
        if found is None:
            continue
        groups = found.groupdict()
        name = "v2" if groups.get("v2") else "v"
        value, wrong = groups[name], groups.get("r") or groups.get("r2") or ""
        if not _fits(value, 3) or not _fits(wrong, 3):
            return []
        subject = _subject(groups["x"], language.code) if groups.get("x") else "?"
        named = "name" if shape.kind == "renamed" else "?"
        return [
            Finding(head.start, head.start + found.end(), subject, named, value.strip(_TRAILING),
                    correction=True, replaces=wrong.strip(_TRAILING),
                    referent=None if subject != "?" else "it")
        ]  # fmt: skip
    return []


_DENYING = word_set("नहीं क्या não nicht pas не нет değil mı ليس comment cómo wie come как як")
_ARABIC_T = word_set("أخت بنت بيت وقت")


def _claims(language: Language, sentence: Sentence, clause: Clause) -> list[Finding]:
    text = clause.text.rstrip(" .!。~")
    if not text or foreign_doubt(sentence, clause.text):
        return []
    for shape in language.shapes:
        if shape.kind in ("remember", "forget", "corrected", "renamed"):
            continue
        found = shape.pattern.match(text)
        if found is None or (shape.kind == "denied" and not clause.corrects):
            continue
        claim = _claim(shape.kind, found, clause, text, language)
        return [claim] if claim else []
    return []


def _claim(
    kind: str, found: re.Match[str], clause: Clause, text: str, language: Language
) -> Finding | None:
    start, end = found.span("v")
    stop = _END.search(text, start, end)
    if stop:
        end = stop.start()
        whole = end
    else:
        whole = found.end()
    while start < end and text[end - 1] in _TRAILING:
        end -= 1
    while start < end and text[start] in " \"'“«「『":
        start += 1
    value = text[start:end].strip("」』» ")
    if language.code == "tr" and value.endswith("ğ"):
        value = value[:-1] + "k"
    whole = max(end, whole) if whole <= len(text) else end
    if kind in ("name", "thing", "nickname", "denied"):
        fine = _fits(value, 4) and not any(c.isdigit() for c in value)
    elif kind == "birthday":
        fine = (any(c.isdigit() for c in value) and len(value) < 30) or _fits(value, 5)
    else:
        fine = _fits(value, 6)
    if not fine:
        return None
    thing = found.groupdict().get("x")
    subject = _subject(thing, language.code) if thing and kind == "thing" else "self"
    if thing and kind == "thing" and thing.casefold() in _NEVER:
        return None
    if kind == "denied":
        denied = Finding(clause.start, clause.start + whole, "?", "name", value)
        return denied._replace(correction=True, referent="it")
    predicate = (
        f"favorite_{thing.casefold()}" if kind == "favorite" and thing else _PREDICATES[kind]
    )
    return Finding(
        clause.start,
        clause.start + whole,
        subject,
        predicate,
        value,
        firm=kind in _FIRM,
        multi=True if kind in _MULTI else None,
        correction=clause.corrects,
    )


def _fits(value: str, most: int) -> bool:
    words = value.strip(_TRAILING).split()
    if any(word.casefold() in _DENYING for word in words):
        return False
    if not words or words[0].casefold() in _NEVER or len(value) > 60:
        return False
    if _SPACELESS.search(value):
        return len(value) <= 14
    return len(words) <= most


def _subject(thing: str, code: str) -> str:
    low = " ".join(thing.casefold().split())
    if code == "ar" and low.endswith("ت") and low not in _ARABIC_T:
        low = low[:-1] + "ة"
    return subject_path(_OWN_CASES.get((code, low)) or _CASES.get(low, low))
