"""Asking: "remember that …" and its kin, which put a clause into memory as it stands."""

from __future__ import annotations

import re
from typing import NamedTuple

from app.memory.rule_extractor.clauses import Clause, Sentence, opened

_ASK = re.compile(
    r"""(?:(?P<polite>(?:can|could|will|would)\s+(?:you|u)\s+(?:please\s+|pls\s+|also\s+)?
          |i\s+(?:want|need|would\s+like|'d\s+like)\s+(?:you|u)\s+to\s+|i'd\s+like\s+(?:you|u)\s+to\s+
          |(?:you|u)\s+(?:should|must|need\s+to|have\s+to|can)\s+|make\s+sure\s+(?:you|u|to)\s+
          |try\s+to\s+|always\s+|just\s+|also\s+)*)
    (?:(?P<dont>don'?t\s+(?:ever\s+|you\s+)?forget|do\s+not\s+forget|never\s+forget)
      |remember|rember|remeber|note|keep\s+in\s+mind|bear\s+in\s+mind|make\s+a\s+(?:mental\s+)?note
      |take\s+note|memori[sz]e|write\s+down|save|store|for\s+(?:future|your)\s+reference)
    (?:\s+(?:this|the\s+following|it|this\s+fact|to\s+memory|for\s+me|for\s+later|pls|please))?
    (?P<how>\s*:\s*|\s*,\s*(?:that\s+)?|\s+-+\s+|\s+that\s*[:,]?\s+|\s+of\s+this\s*:\s*|\s+)(?=\S)""",
    re.IGNORECASE | re.VERBOSE,
)
_TO_ASK = re.compile(
    r"(?:remember|forget|note|mind|memori[sz]e|write down|save|store|reference|rember|remeber)",
    re.IGNORECASE,
)
_STORY = re.compile(
    r"(?:time|day|night|morning|summer|winter|year|one|guy|girl|man|woman|dude|lady|kid|boy|movie|film|song"
    r"|show|series|episode|book|game|party|trip|holiday|thing|place|restaurant|feeling|moment|joke|scene"
    r"|story|meme|video|photo|picture|dream|teacher|when|how|why|what|who|where|which|if|you|your|u"
    r"|to|me|us|him|her|them|it|everything|anything|nothing|in\s+mind|the\s+(?:time|day|night|movie|film"
    r"|song|guy|girl|old|good|last|first|one|alamo|titans|episode|scene|way)|that|those|these|this"
    r"|i\s+(?:told|said|mentioned|asked|was\s+(?:telling|saying)|love\s+(?:you|u)|am\s+always|will\s+always)"
    r"|we\s+(?:talked|spoke|said|were|had|went|did)|when)(?![\w'])",
    re.IGNORECASE,
)
_ABOUT_THEM = re.compile(
    r"(?:i|i'm|im|i've|ive|i'd|i'll|my|we|we're|we've|our)(?![\w'])", re.IGNORECASE
)
_SUBJECT = re.compile(
    r"(?:the|a|an|he|he's|she|she's|it's|it\s+is|they|his|her|their|there|on|in|at|every|no|all|mum|mom|dad|"
    r"[A-Z][\w'-]*|[\w-]+'s|\w+)(?=\s)",
)
_VERB = re.compile(
    r"(?:\s(?:is|are|was|were|am|has|have|can|can't|cant|cannot|must|should|will|won't|isn't|aren't|don't|"
    r"dont|doesn't|doesnt|never|always|likes?|loves?|hates?|lives?|works?|needs?|wants?|prefers?|eats?|"
    r"plays?|starts?|begins?|ends?|means?|costs?|goes|drives?|speaks?|=|happens|comes|closes|opens|"
    r"called|born|moved|takes?|uses?|owes?|turns?|go|come|start|begin|end|need|cost|close|open|take|live|work|love|like|hate|play|want|prefer|eat|use|gets?|makes?|knows?|says)\b|\w'(?:s|m|re|ve)\b|^im\b|^ive\b)",
    re.IGNORECASE,
)


class Asked(NamedTuple):
    """What is to be remembered: the rest of a sentence."""

    clause: Clause


def asked(sentence: Sentence) -> Asked | None:
    """The clause that a sentence asks to be remembered, or None when it asks no such thing."""
    if not _TO_ASK.search(sentence.text):
        return None
    head = opened(sentence.text, sentence.start)
    found = _ASK.match(head.text)
    if found is None:
        return None
    polite = (found.group("polite") or "").strip()
    if sentence.asks and not polite:
        return None
    rest = head.text[found.end() :]
    clause = opened(rest, head.start + found.end())
    if "," in found.group("how") and not _ABOUT_THEM.match(clause.text):
        return None
    text = clause.text.rstrip(" .!,;")
    if len(text) < 3 or not _is_claim(text, found):
        return None
    return Asked(Clause(_without_thanks(text), clause.start))


def _is_claim(text: str, found: re.Match[str]) -> bool:
    """Whether the words after "remember" make a statement rather than a memory or a task."""
    how = found.group("how").strip().casefold()
    if ":" in how:
        return len(text.split()) >= 2 or any(char.isdigit() for char in text)
    word = found.group().casefold()
    if _STORY.match(text) or (word.startswith(("save", "store", "write")) and not how):
        return False
    verb = _VERB.search(text) is not None
    if _ABOUT_THEM.match(text):
        return verb or text.casefold().startswith(("i ", "we "))
    if found.group("dont") or not how.startswith("that"):
        return False
    return verb and _SUBJECT.match(text) is not None


_THANKS = re.compile(
    r"[\s,]+(?:please|pls|plz|thanks|thank\s+you|thx|ok(?:ay)?|for\s+(?:me|later|next\s+time))\W*$",
    re.IGNORECASE,
)
_SMILE = re.compile(r"[\s\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d]+$")


def _without_thanks(text: str) -> str:
    text = _SMILE.sub("", text)
    found = _THANKS.search(text)
    return _SMILE.sub("", text[: found.start()]).rstrip(" .!,;") if found else text
