"""Guards: what a message says in play, in doubt, in irony or as a question is no statement."""

from __future__ import annotations

import re

from app.memory.rule_extractor.clauses import Clause, Sentence
from app.memory.rule_extractor.vocabulary import word_set

_PLAY = re.compile(
    r"""yeah,?\s*right\b | (?:^|\s)/(?:s|j|jk)(?:\s|$) | 🙄 | (?:^|[.!,]\s*)as\s+if\b
    | \bsaid\s+no\s?one
    | \b(?:lol|haha|oh|yeah|ya|um)\s+sure\b | \bsure,?\s+(?:jan|thing\s+buddy)\b | \bsu{2,}re\b
    | \b(?:just\s+)?(?:kidding|joking)\b | \bjk\b | \bnot!\s*$ | \(not(?:\s+really)?\)
    | \bsarcasm\b | 🙃
    | \bin\s+(?:the|this|that|my|our|a|your|his|her)\s+(?:new\s+|next\s+)?(?:story|tale|game|novel
      |book|dream|movie|film|rp|role-?play|campaign|play|script|scene|poem|song|fanfic|comic|d&d)\b
    | \bpretend\b | \brole-?\s?play | \bimagine\b | \btranslat(?:e|ion)\b | \bsuppos(?:e|ing)\b
    | \blet'?s\s+(?:say|play|imagine|suppose|pretend) | \bwhat\s+if\b
    | \brepeat\s+after\b
    | \bact\s+as\b | \byou\s+are\s+now\b | \bhypothetical | \bfor\s+(?:example|instance)\b
    | \be\.g\.
    | \b(?:my|the|main)\s+(?:main\s+)?(?:character|protagonist|heroine|villain|oc|avatar|sim)\b
    | \blyrics\b | \b(?:the|this|that|following|a)\s+(?:sentence|phrase|quote|line)\b
    | \bhow\s+(?:do|would|can)\s+(?:you|i|u)\s+(?:say|write|spell)\b | \bdream(?:t|ed)\b
    | \b(?:rewrite|rephrase|proofread|paraphrase|summari[sz]e)\b | \bsay\s*: | \bsay\s+that\b
    | (?:^|[.!?\n,]\s*)(?:please\s+|pls\s+|can\s+you\s+|could\s+you\s+)?(?:help\s+me\s+)?
      (?:write|draft|compose|sing|generate|tell\s+me\s+a\s+(?:story|joke)|say|repeat|type|correct)\b
      (?!\s+(?:my\s+name|down\s+that))
    | \bopposite\s+day\b | \btwo\s+truths\b | \btruth\s+or\s+dare\b | \bas\s+a\s+joke\b
    | \b(?:en|dans|in|na|nella|в|у)\s+(?:la|el|l'|l|le|un|una|der|einer|o|um|a|um[ao]?
      |моей|этой|моїй)?
      \s*(?:historia|cuento|histoire|geschichte|história|storia|истории|сказке|книге|игре|казці)\b
    | \b(?:imagina|imaginemos|traduce|traduza|traduz|traduis|traduci|übersetze?|finge|finja|fais
      \s+semblant|stell\s+dir\s+vor|angenommen|supón|supongamos|suponha|supposons|immagina|facciamo
      \s+finta|çevir|diyelim\s+ki|farz\s+et)\b
    | перевед|представь|притвор|допустим|уяви|переклад|翻译|翻譯|翻訳|訳して|번역|假设|假如
    |想象|假装|例えば
    | だとしたら|もしも|가정|상상|ترجم|تخيل|افترض|अनुवाद|कल्पना|मान\s?लो
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PLAY_MARKS = ("/s", "/j", "(not", "not!", "NOT!", "e.g", "d&d")
_PLAY_WORDS = word_set(
    """right as said sure suure suuure suuuure kidding joking jk sarcasm story tale game novel book
    dream movie film rp role roleplay play script scene poem song fanfic comic pretend imagine
    translate translation suppose supposing let lets what repeat act are hypothetical
    hypothetically example instance character protagonist heroine villain oc avatar sim lyrics
    sentence phrase quote line how dreamt dreamed rewrite rephrase proofread paraphrase
    summarize summarise say write draft compose sing generate tell type correct opposite truths
    truth joke historia cuento geschichte imagina imaginemos traduce traduza traduz traduis
    traduci finge finja semblant stell angenommen supongamos suponha supposons immagina finta
    diyelim farz"""
)
"""What has to be in a plain text for any of it; one pass over the words is the cheap look."""
_WORDS = re.compile(r"[a-z]+")
_DOUBT = re.compile(
    r"""\b(?:if(?!\s+(?:you|u)(?:'re|\s+are|\s+were)?\s+(?:wonder|must|want|wanna|care|ask|didn'?t|don'?t|were\s+wondering))
    |would|could|wish|unless|whether|maybe|perhaps|might|should|assum(?:e|ing)|hopefully|almost
    |probably|as\s+though|not\s+sure|apparently|supposedly|someday|one\s+day|used\s+to)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_REPORTED = re.compile(
    r"""\b(?:says?|said|saying|tells?|told|thinks?|thought|believes?|claims?|claimed|asks?|asked|wrote
    |writes|texted|heard|reckons?|insists?|insisted|swears?|swore|joked|jokes|yelled|shouted
    |(?:was|is|were|are)\s+like|goes)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_REPORTED_AFTER = re.compile(
    r"[,\s]\s*(?:he|she|they|\w+)\s+(?:said|says|yelled|shouted|whispered|asked|told|screamed)\b",
    re.IGNORECASE,
)
_SELF_REPORT = re.compile(
    r"\bi\s+(?:already\s+|just\s+)?(?:said|told\s+(?:you|u)|say)\b", re.IGNORECASE
)
_OPENER = re.compile(
    r"""(?:what|whats|what's|who|who's|whos|whose|where|wheres|when|why|how|hows|how's|which|wbu|hbu
    |do(?!\s+not)|does|did|is|isn'?t|are|aren'?t|am|was|wasn'?t|were|can|can'?t\s+you|could|will|won'?t
    |would|should|shall|has|have\s+(?:you|i|we|they|u)|may|guess|tell\s+me|any\s+(?:idea|chance|clue)
    |(?:i\s+)?wonder(?:ing)?|don'?t\s+(?:you|u)|didn'?t|doesn'?t|remind\s+me|let\s+me\s+know|u\s+know
    |you\s+know|ever|you\s+(?:remember|think|ever|remembered)|so\s+you|and\s+(?:you|u)\s*$|you\s*$)
    (?![\w'])""",
    re.IGNORECASE | re.VERBOSE,
)
_FOREIGN_DOUBT = re.compile(
    r"""^(?:si|se|wenn|falls|если|якщо|eğer|अगर|यदि|لو|إذا|если\s+бы|ojalá|quizás?|tal\s+vez|talvez
    |peut-être|vielleicht|forse|может|можливо|belki|शायद|ربما)\s
    |如果|要是|要不|也许|可能|もし|たら|かもしれ|만약|라면|아마|\bbы\b|\sбы\s|\sби\s""",
    re.IGNORECASE | re.VERBOSE,
)
_FOREIGN_QUESTION = re.compile(
    r"""(?:^|\s)(?:¿|cómo|qué|quién|dónde|cuál|cuándo|sabes|como\s+(?:se\s+chama|é)|qual|onde|quem|você
    \s+sabe|sabe|comment|quel|quelle|où|est-ce|sais-tu|tu\s+sais|wie|wer|weißt|was\s+ist|woher|come
    \s+si|dove|chi|qual\s+è|sai|как|кто|где|какой|знаешь|помнишь|як|хто|де|який|знаєш|kim|nasıl
    |nerede|biliyor|ne\s+zaman|क्या|कौन|कहाँ|कैसे|هل|ما|أين|كيف|متى|اسأل)(?:\s|$)
    |^من\s|\s(?:mı|mi|mu|mü)(?:\s*$|sın|sin)|吗|呢$|什么|什麼|谁|哪|怎么|ですか|ますか|でしょうか|なに|何|だれ|誰|どこ|뭐|누구|어디|인가요|나요|까$""",
    re.IGNORECASE | re.VERBOSE,
)
_TAG = re.compile(
    r"(?:right|correct|yes|no|yeah|remember|isn'?t\s+it|innit|eh|huh|ok|okay)", re.IGNORECASE
)


def in_play(text: str) -> bool:
    """Whether a message is fiction, irony, a translation or other play with words."""
    marked = any(mark in text for mark in _PLAY_MARKS) or not text.isascii()
    if not marked and _PLAY_WORDS.isdisjoint(_WORDS.findall(text.casefold())):
        return False
    return _PLAY.search(text) is not None


def stated(sentence: Sentence, found: list[Clause]) -> list[Clause]:
    """The clauses of a sentence that are not asked, those before an appended question included."""
    if _if(sentence.text) or _REPORTED_AFTER.search(sentence.text):
        return []
    kept: list[Clause] = []
    for number, clause in enumerate(found):
        opens = _OPENER.match(clause.text) is not None
        last = number == len(found) - 1
        if opens or (last and _TAG.fullmatch(clause.text)):
            return kept if opens else []
        if sentence.asks and last:
            return []
        kept.append(clause)
    return kept


def in_doubt(sentence: Sentence, start: int, end: int) -> bool:
    """Whether what a stretch says is supposed, wished or reported, by the words up to its end."""
    before = sentence.text[: max(0, start - sentence.start)]
    until = sentence.text[: max(0, end - sentence.start)]
    if _DOUBT.search(until):
        return True
    return _REPORTED.search(before) is not None and not _SELF_REPORT.search(before)


def foreign_doubt(sentence: Sentence, clause: str) -> bool:
    """Whether a sentence in another language asks or supposes, as far as its words show."""
    whole = sentence.text.strip()
    return (
        sentence.asks
        or _FOREIGN_DOUBT.search(whole) is not None
        or _FOREIGN_QUESTION.search(clause) is not None
    )


def _if(text: str) -> bool:
    found = _DOUBT.search(text)
    while found is not None:
        if found.group().casefold() == "if":
            return True
        found = _DOUBT.search(text, found.end())
    return False
