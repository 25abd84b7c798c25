"""Shapes: the sentences that are read, and what each of them says."""

from __future__ import annotations

import re
from typing import NamedTuple

from app.domain.record import FactCategory, Sensitivity

THING = r"[\w'’]+(?: [\w'’]+){0,2}?"
VALUE = r"(?P<value>[^,;:\n]{1,80}?)"
NAME = r"(?P<value>[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,3})"


class Shape(NamedTuple):
    """A pattern for a whole sentence. `subject` and `predicate` may come from its groups."""

    pattern: re.Pattern[str]
    subject: str = "self"
    predicate: str = ""
    category: FactCategory | None = None
    sensitivity: Sensitivity = "normal"


def _shape(
    pattern: str,
    subject: str = "self",
    predicate: str = "",
    category: FactCategory | None = None,
    sensitivity: Sensitivity = "normal",
) -> Shape:
    compiled = re.compile(f"(?:{pattern})$", re.IGNORECASE)
    return Shape(compiled, subject, predicate, category, sensitivity)


_F = FactCategory
_LATER = r"(?!later|back|tomorrow|today|when|if|tonight|again|crazy|old|a |an |the |it|me|you)"

FIRM: tuple[Shape, ...] = (
    _shape(rf"my name(?: is|'s|s) {NAME}", "self", "name", _F.PERSONAL),
    _shape(rf"(?:please |just |you can )*call me {_LATER}{NAME}", "self", "nickname", _F.PERSONAL),
    _shape(rf"(?:i'?m|i am) (?:called|named) {NAME}", "self", "name", _F.PERSONAL),
    _shape(
        r"my birthday(?: is|'s)(?: on)? (?P<value>[\w ,.]{3,20}\d[\w ,.]*|\d[\w ,.]{2,20})",
        "self",
        "birthday",
        _F.PERSONAL,
    ),
    _shape(rf"my (?P<subject>{THING})(?:'s|’s) name(?: is|'s) {NAME}", "", "name"),
    _shape(
        rf"my (?P<owner>\w+)(?:'s|’s) (?P<subject>\w+)(?: is|'s| was)? (?:called|named) {NAME}",
        "",
        "name",
    ),
    _shape(rf"my (?P<subject>{THING})(?: is|'s| was)? (?:called|named) {NAME}", "", "name"),
    _shape(rf"my (?P<owner>\w+)(?:'s|’s) (?P<predicate>\w+) is {VALUE}", ""),
    _shape(rf"the (?P<subject>\w+) name is {VALUE}", "", "name"),
    _shape(rf"my fav(?:ou?rite)? (?P<favorite>\w+(?: \w+)?) is {VALUE}", "self", "", _F.PREFERENCE),
    _shape(
        r"my (?P<relation>wife|husband|partner|girlfriend|boyfriend|sister|brother|mother|mom|mum|"
        r"father|dad|son|daughter|aunt|uncle|cousin|grandmother|grandfather|grandma|grandpa|boss|"
        r"best friend|flatmate|roommate|dog|cat|doctor|teacher)(?: is|'s) "
        r"(?P<value>(?-i:[A-ZÀ-Þ])[\w'’-]+(?: (?-i:[A-ZÀ-Þ])[\w'’-]+)?)",
        "",
        "name",
        _F.RELATIONSHIP,
    ),
    _shape(
        rf"my (?P<attribute>phone number|number|email|address|shoe size|job|car|blood type|height|"
        rf"weight|hometown|native language|landlord|locker|bike|guitar) is {VALUE}"
    ),
    _shape(
        rf"i(?:'ve| have)? (?:just |recently )?moved to {NAME}", "self", "lives_in", _F.PERSONAL
    ),
    _shape(rf"i now live in {NAME}", "self", "lives_in", _F.PERSONAL),
    _shape(rf"i now work (?:at|for) {VALUE}", "self", "works_at", _F.WORK),
    # Spanish, Portuguese, French, German, Italian, Russian, Hindi, Turkish, Chinese, Japanese
    _shape(rf"me llamo {NAME}|mi nombre es (?P<v2>[\w .'-]+)", "self", "name", _F.PERSONAL),
    _shape(rf"mi (?P<subject>\w+) se llama {NAME}", "", "name"),
    _shape(rf"(?:meu nome é|eu me chamo|chamo-me) {NAME}", "self", "name", _F.PERSONAL),
    _shape(rf"(?:meu|minha) (?P<subject>\w+) se chama {NAME}", "", "name"),
    _shape(rf"je m['’]appelle {NAME}", "self", "name", _F.PERSONAL),
    _shape(rf"(?:mon|ma) (?P<subject>\w+) s['’]appelle {NAME}", "", "name"),
    _shape(rf"(?:ich heiße|ich heisse|mein name ist) {NAME}", "self", "name", _F.PERSONAL),
    _shape(rf"meine? (?P<subject>\w+) heißt {NAME}", "", "name"),
    _shape(rf"mi chiamo {NAME}", "self", "name", _F.PERSONAL),
    _shape(rf"(?:il mio|la mia|mio|mia) (?P<subject>\w+) si chiama {NAME}", "", "name"),
    _shape(rf"меня зовут {NAME}", "self", "name", _F.PERSONAL),
    _shape(rf"(?:моего|мою|моё|мое) (?P<subject>\w+) зовут {NAME}", "", "name"),
    _shape(r"मेरा नाम (?P<value>\S+(?: \S+)?) है", "self", "name", _F.PERSONAL),
    _shape(r"मेरे (?P<subject>\S+) का नाम (?P<value>\S+) है", "", "name"),
    _shape(rf"(?:benim )?adım {NAME}", "self", "name", _F.PERSONAL),
    _shape(r"我(?:的名字)?(?:叫|是叫)(?P<value>\w{1,6})", "self", "name", _F.PERSONAL),
    _shape(r"我的(?P<subject>\w{1,3})叫(?P<value>\w{1,6})", "", "name"),
    _shape(
        r"(?:私|僕|俺)の名前は(?P<value>\w{1,8}?)(?:です|だよ|だ)?", "self", "name", _F.PERSONAL
    ),
)

LOOSE: tuple[Shape, ...] = (
    _shape(rf"i live in {NAME}", "self", "lives_in", _F.PERSONAL),
    _shape(rf"(?:i'?m|i am) from {NAME}", "self", "from", _F.PERSONAL),
    _shape(rf"i work (?:at|for) {VALUE}", "self", "works_at", _F.WORK),
    _shape(rf"i work as an? {VALUE}", "self", "job", _F.WORK),
    _shape(
        r"i have an? (?P<value>(?:\w+ )?(?:dog|cat|sister|brother|son|daughter|car|bike|horse|"
        r"rabbit|parrot|hamster|guitar|piano|garden|twin)s?)",
        "self",
        "has",
        _F.PERSONAL,
    ),
    _shape(rf"(?:i'?m|i am) allergic to {VALUE}", "self", "allergic_to", _F.HEALTH, "sensitive"),
    _shape(rf"i (?:don'?t|do not|never|can'?t) eat {VALUE}", "self", "avoids", _F.PREFERENCE),
    _shape(
        rf"i (?:really )?love (?!it|you|this|that|when|how|the way|him|her|them){VALUE}",
        "self",
        "loves",
        _F.PREFERENCE,
    ),
    _shape(
        rf"i (?:really )?hate (?!it|you|this|that|when|how|him|her|them|myself|my ){VALUE}",
        "self",
        "hates",
        _F.PREFERENCE,
    ),
    _shape(rf"i play (?:the )?{VALUE}", "self", "plays", _F.HOBBY),
    _shape(rf"(?:yo )?vivo en {NAME}", "self", "lives_in", _F.PERSONAL),
    _shape(rf"ich wohne in {NAME}", "self", "lives_in", _F.PERSONAL),
    _shape(rf"j['’]habite à {NAME}", "self", "lives_in", _F.PERSONAL),
    _shape(rf"я живу в {NAME}", "self", "lives_in", _F.PERSONAL),
)

ASK = re.compile(
    r"(?:(?:please|pls|hey|ok|also|and) )*(?:remember|keep in mind|note|don'?t forget)(?: this)?"
    r"(?: that|:|,)\s*(?P<clause>.{3,300})$",
    re.IGNORECASE,
)
FORGET = re.compile(
    r"(?:(?:please|pls|can you|could you) )*forget (?:about |that )?"
    r"(?P<words>(?:my |i |the )[^?!]{2,120}?)(?: please)?$",
    re.IGNORECASE,
)
CORRECTION = re.compile(
    r"(?:(?:actually|no|sorry|wait|oops|correction)[, ]+)?(?P<head>it'?s|it is|he'?s|she'?s|"
    r"his name is|her name is|i meant|my (?P<thing>[\w ]{2,30}?) is)(?: called)? "
    r"(?P<value>[^,;\n]{1,60}?)(?:,| and)? not (?P<replaces>[^,;.\n]{1,60})$",
    re.IGNORECASE,
)
_NOT_THINGS = "bad god point guess question pleasure turn plan mood head day life way mind"
NOT_A_THING = frozenset(_NOT_THINGS.split(" "))
