"""Forgetting: a request to let go of something specific, told from a mere figure of speech."""

from __future__ import annotations

import re

from app.domain.candidate import Forget
from app.domain.evidence import Quote
from app.memory.rule_extractor.clauses import Sentence, opened
from app.memory.rule_extractor.vocabulary import word_set

_PRE = (
    r"(?P<polite>(?:(?:can|could|will|would)\s+(?:you|u)\s+(?:please\s+|pls\s+|just\s+)?"
    r"|i\s+(?:want|need)\s+"
    r"(?:you|u)\s+to\s+|i'd\s+like\s+(?:you|u)\s+to\s+|i\s+would\s+like\s+(?:you|u)\s+to\s+"
    r"|(?:you|u)\s+(?:can"
    r"|should|may|must)\s+(?:just\s+|now\s+)?|just\s+)?)"
)
_FORGET = re.compile(
    _PRE + r"forget\s+(?P<about>(?:about|that|everything\s+(?:you\s+know\s+)?about|all\s+about"
    r"|anything\s+about|"
    r"what(?:ever)?\s+i\s+(?:said|told\s+(?:you|u))\s+about|what\s+you\s+know\s+about"
    r"|the\s+fact\s+that|"
    r"the\s+(?:thing|stuff|part|bit)\s+about|that\s+(?:thing|stuff)\s+about)\s+)?(?P<w>\S.*)",
    re.IGNORECASE,
)
_STOP = re.compile(
    _PRE + r"(?:don'?t\s+remember|do\s+not\s+remember|stop\s+remembering|you\s+(?:don'?t"
    r"|do\s+not)\s+(?:need|have)"
    r"\s+to\s+remember|no\s+need\s+to\s+remember|don'?t\s+(?:save|store|keep)|stop\s+storing)\s+"
    r"(?:about\s+|that\s+)?(?P<w>\S.*)",
    re.IGNORECASE,
)
_DELETE = re.compile(
    _PRE + r"(?:delete|erase|remove|wipe|clear)\s+(?:(?:what(?:ever)?|everything|anything|all"
    r"|all\s+that)\s+(?:that\s+)?"
    r"(?:you|u)(?:'ve|\s+have)?\s+(?:know|knows|remember|saved|stored|have|got|noted|learned"
    r"|wrote\s+down)\s+about"
    r"|the\s+(?:fact|record|memory|note|entry|info|information)\s+(?:that|about|of|on"
    r"|with))\s+(?P<w>\S.*)",
    re.IGNORECASE,
)
_FROM_MEMORY = re.compile(
    _PRE + r"(?:delete|erase|remove|wipe|clear)\s+(?P<w>\S.*?)\s+from\s+(?:your\s+|my\s+"
    r"|the\s+)?(?:memory|memories|"
    r"records|profile|notes|database|files)\b",
    re.IGNORECASE,
)
_PLEASE = re.compile(r"\b(?:ok(?:ay)?|please|pls|alright)\s*$", re.IGNORECASE)
_TO_FORGET = (
    "forget", "remember", "delete", "erase", "remove", "wipe", "clear", "save", "stor", "keep",
)  # fmt: skip
_TAIL = re.compile(
    r"(?:[\s,]+(?:any\s*more|please|pls|plz|thanks|thank\s+you|thx|ok(?:ay)?|now|for\s+good"
    r"|forever|completely|"
    r"right\s+now|from\s+(?:your\s+)?memory|it'?s\s+(?:wrong|old|not\s+true|no\s+longer\s+true)"
    r"|at\s+all|k"
    r"|entirely|immediately|again))+[\s.!,]*$|[\s.!,;\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]+$",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"\s+and\s+(?:call|remember|tell|let'?s|start|move|talk|save|keep|don'?t)\b.*$"
    r"|[,;]\s*(?:and\s+|but\s+)?(?:let'?s|i|i'?ll|i'?m|i'?ve|my|we|never\s*mind|what|how|tell|can"
    r"|do|is|ok|it'?s)\b.*$",
    re.IGNORECASE,
)
_SPECIFIC = re.compile(
    r"(?:my|our|i|i'm|im|i've|ive|we|where\s+i|what\s+my|who\s+my|when\s+my|when\s+i)(?![\w'])",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"(?:my|our)\s+(?:(?:last|previous|earlier|first|other|silly|stupid|dumb"
    r"|above)\s+)*(?:message|messages|question|"
    r"questions|request|text|texts|comment|joke|words|manners|troubles|worries|problems|sorrows"
    r"|password"
    r"(?=\s+again)|bad|mistake|typo|point|rant|answer|idea|suggestion|account|data|chat|history"
    r"|head|keys|"
    r"phone(?!\s+number)|umbrella|wallet)(?![\w'])"
    r"|i\s+(?:said|asked|mentioned|told|ever|even|exist|was\s+(?:here|saying|asking)|did|brought"
    r"|wrote|sent|typed|just)\b"
    r"|we\s+(?:said|talked|ever|had|spoke)\b|what\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"[A-Z][\w-]*(?:'s\s+\w+(?:\s\w+)?|\s+[A-Z][\w-]*)?$")
_NOT_NAMES = word_set("""it that this everything all him her them me you us about what yourself""")


def forgets(sentence: Sentence, seq: int, content: str) -> Forget | None:
    """The request of a sentence to forget something specific, or None."""
    low = sentence.text.casefold()
    if not any(word in low for word in _TO_FORGET):
        return None
    head = opened(sentence.text, sentence.start)
    for pattern in (_FORGET, _STOP, _DELETE, _FROM_MEMORY):
        found = pattern.match(head.text)
        if found is None:
            continue
        if sentence.asks and not (found.group("polite").strip() or _PLEASE.search(sentence.text)):
            return None
        start, end = found.span("w")
        text = head.text
        turned = _TURN.search(text, start, end)
        if turned:
            end = turned.start()
        while tail := _TAIL.search(text, start, end):
            end = tail.start()
        words = text[start:end]
        if not _is_specific(words, found, pattern is _FORGET, alone=_alone(sentence, content)):
            return None
        return Forget(
            words=content[head.start + start : head.start + end],
            quote=Quote(seq=seq, text=content[head.start : head.start + end]),
        )
    return None


def _is_specific(words: str, found: re.Match[str], forget: bool, *, alone: bool) -> bool:
    if not words.strip() or _IDLE.match(words):
        return False
    if _SPECIFIC.match(words):
        return len(words.split()) > 1
    first = words.split()[0].casefold()
    if first in _NOT_NAMES:
        return False
    if not forget:
        return bool(_NAME.match(words)) or first in ("the",)
    # A bare name is a memory only where the request is all there is: "forget Rex".
    return alone and _NAME.match(words) is not None


def _alone(sentence: Sentence, content: str) -> bool:
    return len(sentence.text.strip()) >= len(content.strip()) - 3
