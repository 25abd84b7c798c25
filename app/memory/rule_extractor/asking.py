"""Asking: "remember that …" and its kin, which put a clause into memory as it stands."""

from __future__ import annotations

import re

from app.memory.rule_extractor.clauses import Clause, Sentence, opened
from app.memory.rule_extractor.vocabulary import word_set

_ASK = re.compile(
    r"""(?:(?P<polite>(?:can|could|will|would)\s+(?:you|u)\s+(?:please\s+|pls\s+|also\s+)?
          |i\s+(?:want|need|would\s+like|'d\s+like)\s+(?:you|u)\s+to\s+|i'd\s+like\s+(?:you|u)\s+to\s+
          |(?:you|u)\s+(?:should|must|need\s+to|have\s+to|can)\s+|make\s+sure\s+(?:you|u|to)\s+
          |try\s+to\s+|always\s+|do\s+|just\s+|also\s+)*)
    (?:(?P<dont>don'?t\s+(?:ever\s+|you\s+)?forget|do\s+not\s+forget|never\s+forget)
      |remember|rember|remeber|note|keep\s+in\s+mind|bear\s+in\s+mind|make\s+a\s+(?:mental\s+)?note
      |take\s+note|memori[sz]e|write\s+down|save|store|for\s+(?:future|your)\s+reference)
    (?:\s+(?:this|the\s+following|it|this\s+fact|to\s+memory|for\s+me|for\s+later|pls|please)){0,2}
    (?P<how>\s*:\s*|\s*,\s*(?:that\s+)?|\s+-+\s+|\s+that\s*[:,]?\s+|\s+of\s+this\s*:\s*|\s+)(?=\S)""",
    re.IGNORECASE | re.VERBOSE,
)
_TO_ASK = (
    "remember", "forget", "note", "mind", "memori", "write down", "save", "store", "reference",
    "rember", "remeber",
)  # fmt: skip
_STORY = re.compile(
    r"(?:time|day|night|morning|summer|winter|year|one|guy|girl|man|woman|dude|lady|kid|boy|movie"
    r"|film|song"
    r"|show|series|episode|book|game|party|trip|holiday|thing|place|restaurant|feeling|moment"
    r"|joke|scene"
    r"|story|meme|video|photo|picture|dream|teacher|when|how|why|what|who|where|which|if|you|your|u"
    r"|to|me|us|him|her|them|it|everything|anything|nothing|in\s+mind|the\s+(?:time|day|night"
    r"|movie|film"
    r"|song|guy|girl|old|good|last|first|one|alamo|titans|episode|scene|way)|that|those|these|this"
    r"|i\s+(?:told|said|mentioned|asked|was\s+(?:telling|saying)|love\s+(?:you|u)|am\s+always"
    r"|will\s+always)"
    r"|we\s+(?:talked|spoke|said|were|had|went|did)|i'm\s+your|when)(?![\w'])",
    re.IGNORECASE,
)
_ABOUT_THEM = re.compile(
    r"(?:i|i'm|im|i've|ive|i'd|i'll|my|we|we're|we've|our)(?![\w'])", re.IGNORECASE
)
_ABOUT = re.compile(r"\b(?:i|i'm|im|my|me|we|our|us|mine)(?![\w'])", re.IGNORECASE)
_POINTING = word_set("the a an he he's she she's they his her their it it's there on at")
_ADVICE = re.compile(
    r"(?:it|it's|there|they)(?:'s|\s+is|\s+are|\s+was)?\s+(?:important|ok|okay|fine|always|never"
    r"|all|not|"
    r"about|no|only|nothing|more|just)\b",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"(?:\s(?:is|are|was|were|am|has|have|can|can't|cant|cannot|must|should|will|won't|isn't"
    r"|aren't|don't|"
    r"dont|doesn't|doesnt|never|always|likes?|loves?|hates?|lives?|works?|needs?|wants?|prefers?"
    r"|eats?|"
    r"plays?|starts?|begins?|ends?|means?|costs?|goes|drives?|speaks?|=|happens|comes|closes|opens|"
    r"called|born|moved|takes?|uses?|owes?|turns?|go|come|start|begin|end|need|cost|close|open"
    r"|take|live|work|love|like|hate|play|want|prefer|eat|use|gets?|makes?|knows?|says)\b|\w'(?:s"
    r"|m|re|ve)\b|^im\b|^ive\b)",
    re.IGNORECASE,
)


_ALWAYS = re.compile(
    r"(?:i'm|im|i\s+am|we're)\s+(?:always\s+)?(?:here|proud|with)\b|i\s+(?:love|believe)\b",
    re.IGNORECASE,
)


def asked(sentence: Sentence) -> Clause | None:
    """The clause that a sentence asks to be remembered, or None when it asks no such thing."""
    low = sentence.text.casefold()
    if not any(word in low for word in _TO_ASK):
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
    if "," in found.group("how") and (
        not _ABOUT_THEM.match(clause.text) or _ALWAYS.match(clause.text)
    ):
        return None
    text = clause.text.rstrip(" .!,;")
    if len(text) < 3 or not _is_claim(text, found):
        return None
    return Clause(_without_thanks(text), clause.start)


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
    if _ABOUT.search(text):
        return verb
    first = text.split()[0]
    named = first[0].isupper() or first.casefold() in _POINTING or first.endswith("'s")
    return verb and named and _ADVICE.match(text) is None


_THANKS = re.compile(
    r"[\s,]+(?:please|pls|plz|thanks|thank\s+you|thx|ok(?:ay)?|for\s+(?:me|later|next\s+time))\W*$",
    re.IGNORECASE,
)
_SMILE = re.compile(r"[\s\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d]+$")


def _without_thanks(text: str) -> str:
    text = _SMILE.sub("", text)
    found = _THANKS.search(text)
    return _SMILE.sub("", text[: found.start()]).rstrip(" .!,;") if found else text
