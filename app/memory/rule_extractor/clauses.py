"""Clauses: a message cut into sentences and clauses that still know where they stand in it."""

from __future__ import annotations

import re
from typing import NamedTuple


class Sentence(NamedTuple):
    """A stretch of the message up to its end mark; `asks` when that is a question mark."""

    text: str
    start: int
    asks: bool


class Clause(NamedTuple):
    """A stretch of a sentence without the small words before it, and where it starts.

    `corrects`: one of those small words takes something back ("no", "actually"). `greets`: one
    of them was a greeting.
    """

    text: str
    start: int
    corrects: bool = False
    greets: bool = False

    @property
    def end(self) -> int:
        """Where it ends in the message."""
        return self.start + len(self.text)


_PLAIN = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "＇": "'", "\u00a0": " ", "\t": " "}
)
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ ]*(?:>|&gt;|[♪♫🎵🎶]).*$|^.*[♪♫🎵🎶].*$", re.MULTILINE)
_QUOTATION = re.compile(
    r"(?P<open>[\"“”„])(?P<a>[^\"“”„\n]{1,400})[\"“”]"
    r"|(?P<open2>«)(?P<b>[^»\n]{1,400})»"
    r"|(?P<open3>[「『《])(?P<c>[^」』》\n]{1,400})[」』》]"
    r"|(?:(?<=^)|(?<=[\s(:,]))'(?P<d>[^'\n]{1,60}(?:'[a-z]{1,2} [^'\n]{1,60})*)'(?=$|[\s.,!?)])",
    re.IGNORECASE | re.MULTILINE,
)
_NAMING = re.compile(
    r"(?:call(?:ed|s|\s+me)|named?|is|'s|are|llamo|llama|appelle|heißt|heiße|chiamo|chiama|chamo"
    r"|chama|зовут|звати|adı|адi|叫|は|이름은|اسمه|اسمي)\s*$",
    re.IGNORECASE,
)
_SPACES = re.compile(r"[^\S\n]{6,}")
_END = re.compile(r"[!?！？؟。।\n]+|\.{2,}|…+|\.(?=\s|$)|\.(?=[\"')\]])")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:dr|mr|mrs|ms|st|prof|jr|sr|vs|nr|mt|[A-Z])$", re.IGNORECASE
)
_QUESTION = frozenset("?？؟")

_STARTER = (
    r"i|i'm|im|i've|ive|i'd|my|our|we|we're|we've|he|he's|hes|she|she's|shes|it|it's|its|they|his|"
    r"her|their|you|your|that's|there|call|remember|please|pls|forget|don't|dont|actually|no|not|"
    r"what|who|where|how|why|do|does|can|could|would|is\s+(?:it|that|this|there|he|she)|isn't"
    r"|are\s+you|and\s+you|wbu|hbu|also|so|btw|just"
)
_BREAK = re.compile(
    rf"""(?:\s*[;(]\s*|\s+[-–—]+\s+|\s*[—]\s*|,\s*|\s+(?=(?:and|but|plus|also|btw)\s))
        (?:(?:and|but|so|plus|also|then|yes|yeah|btw)\s+)*(?=(?:{_STARTER})(?![\w]))""",
    re.IGNORECASE | re.VERBOSE,
)
_FOREIGN_BREAK = re.compile(
    r"\s*[,;，、،；(]\s*|\s+و(?=\s|[أا]عيش|[أا]سكن|[أا]نا|عندي|اسم|لدي|[أا]عمل|[أا]حب)|\s+(?:y|e|et"
    r"|und|и|і|та|ve|और)\s+"
)

_GREETING = (
    r"hi+|hey+|heya|hello+|hiya|yo|howdy|good\s+(?:morning|evening|afternoon)|morning|greetings|"
    r"hola|oi|olá|ola|salut|bonjour|coucou|hallo|moin|servus|ciao|buongiorno|привет|привіт|"
    r"здравствуйте|добрый\s+день|вітаю|नमस्ते|merhaba|selam|مرحبا|السلام\s+عليكم|你好|您好|嗨|"
    r"こんにちは|はじめまして|안녕하세요|안녕"
)
_TAKE_BACK = (
    r"actually|nope|nah|wait|oops|correction|sorry|my\s+bad|no(?=\s*(?:[,.!;-]|$)|\s+(?:my|it's"
    r"|its|i'm|im"
    r"|he's|she's|his|her|i\s+mean|i\s+meant|wait|sorry|actually)\b)|(?:that'?s\s+|that\s+is\s+"
    r"|you're\s+|ur\s+)?wrong|not\s+quite|that's\s+not\s+(?:right|true)|"
    r"en\s+realidad|perdón|na\s+verdade|en\s+fait|eigentlich|in\s+realtà|вообще-то"
    r"|на\s+самом\s+деле"
    r"|насправді|aslında|其实|不对|实は|違う|아니|아니요|في\s+الواقع|असल\s+में"
    r"|(?:nein|non|não|нет|ні|hayır|لا|नहीं|不|いいえ|いや)(?=\s*(?:[,，、،]|$))"
)
_SMALL = (
    r"and|but|oh+|ah+|um+|uh+|hm+|hmm+|well|so|ok|okay|k|right|yes|yeah|yep|yup|ya|sure|cool|nice|"
    r"great|haha+|hehe+|lol|lmao|omg|btw|by\s+the\s+way|fyi|just\s+so\s+(?:you|u)\s+know|anyway|"
    r"anyways|also|plus|then|fun\s+fact|tbh|to\s+be\s+honest|honestly|you\s+know(?=\s*,)|please"
    r"|pls|"
    r"plz|as\s+(?:i|you)\s+(?:said|know)|like\s+i\s+said|i\s+(?:already\s+)?told\s+you(?:\s+that)?|"
    r"i\s+(?:just\s+)?said(?:\s+that)?|for\s+the\s+record|thanks|thank\s+you|mate|buddy|bro|dude|"
    r"i\s+should\s+(?:mention|say)(?:\s+that)?|let\s+me\s+introduce\s+myself"
    r"|nice\s+to\s+meet\s+(?:you"
    r"|u)|there|again|to\s+start|first(?:ly)?(?=\s*,)|lo+k|"
    r"por\s+cierto|por\s+favor|pues|y|bueno|aliás|bom|bien|au\s+fait|et|s'il\s+te\s+plaît|alors|"
    r"übrigens|bitte|und|also|na\s+ja|per\s+favore|allora|comunque|e|кстати|пожалуйста|и|а|ну|"
    r"до\s+речі|будь\s+ласка|і|bu\s+arada|lütfen|ve|من\s+فضلك|بالمناسبة|وأيضا|कृपया|वैसे|और|请|请你|"
    r"對了|对了|顺便说一下|ちなみに|ところで|あの|えっと|참고로|그런데|참|그리고|저기"
)
_SPACED = r"(?=[\s,.!:;，、،。！~)-]|$)"
_FILLER = re.compile(
    rf"(?:(?P<greet>{_GREETING}){_SPACED}|(?P<back>{_TAKE_BACK}){_SPACED}|(?:{_SMALL}){_SPACED})",
    re.IGNORECASE,
)
_NOISE = re.compile(r"[^\w]+")
_TAIL = re.compile(r"[\s.,;~\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d]+$")
_MOST_FILLERS = 6


def plain(content: str) -> str:
    """The message with apostrophes and spaces of one kind and what isn't the person's own blanked.

    As long as the message, so that offsets hold: quotations, code, quoted lines and lyrics
    become line ends; a short quoted value ("called 'Rex'") stays.
    """
    text = _CODE.sub(_blank, content) if "```" in content else content
    text = text.translate(_PLAIN)
    text = _SPACES.sub(_blank, text)
    if _QUOTED_LINE.search(text):
        text = _QUOTED_LINE.sub(_blank, text)
    return _QUOTATION.sub(_quotation, text)


def sentences(text: str) -> list[Sentence]:
    """The sentences of a plain text, in order."""
    found: list[Sentence] = []
    start = 0
    for mark in _END.finditer(text):
        if mark.group() == "." and _ABBREVIATION.search(
            text, max(0, mark.start() - 6), mark.start()
        ):
            continue
        _add(found, text, start, mark.start(), bool(_QUESTION & set(mark.group())))
        start = mark.end()
    _add(found, text, start, len(text), False)
    return found


def clauses(sentence: Sentence) -> list[Clause]:
    """The English clauses of a sentence, each without the small words before it."""
    return _cut(sentence, _BREAK)


def foreign_clauses(sentence: Sentence) -> list[Clause]:
    """The clauses of a sentence in another language: cut at every comma and "and"."""
    return _cut(sentence, _FOREIGN_BREAK)


def opened(text: str, start: int) -> Clause:
    """A clause without greetings, interjections and emoji before it."""
    position = 0
    corrects = greets = False
    for _ in range(_MOST_FILLERS):
        noise = _NOISE.match(text, position)
        if noise:
            position = noise.end()
        filler = _FILLER.match(text, position)
        if filler is None:
            break
        corrects = corrects or filler.group("back") is not None
        greets = greets or filler.group("greet") is not None
        position = filler.end()
    noise = _NOISE.match(text, position)
    if noise:
        position = noise.end()
    end = _TAIL.search(text, position)
    return Clause(text[position : end.start() if end else None], start + position, corrects, greets)


def _cut(sentence: Sentence, at: re.Pattern[str]) -> list[Clause]:
    found: list[Clause] = []
    start = 0
    back = hello = False
    for mark in (*at.finditer(sentence.text), None):
        end = mark.start() if mark else len(sentence.text)
        clause = opened(sentence.text[start:end], sentence.start + start)
        if clause.text:
            found.append(
                clause._replace(corrects=clause.corrects or back, greets=clause.greets or hello)
            )
            back = hello = False
        else:
            back, hello = back or clause.corrects, hello or clause.greets
        start = mark.end() if mark else end
    return found


def _add(found: list[Sentence], text: str, start: int, end: int, asks: bool) -> None:
    if text[start:end].strip():
        found.append(Sentence(text[start:end], start, asks))


def _blank(found: re.Match[str]) -> str:
    return "\n" * len(found.group())


def _quotation(found: re.Match[str]) -> str:
    """Kept where it is a short value that was just named, blank where somebody is quoted."""
    inner = found.group("a") or found.group("b") or found.group("c") or found.group("d") or ""
    before = found.string[max(0, found.start() - 12) : found.start()]
    if len(inner.split()) <= 3 and len(inner) <= 40 and _NAMING.search(before):
        return found.group()
    return _blank(found)
