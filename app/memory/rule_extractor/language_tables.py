"""The shapes of sentences in languages besides English, one table a language.

In a shape `v` is the value, `x` the thing or person it is about, `w` the words to remember or
to forget, `r` the value taken back. A shape is tried at the start of a clause.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Shape(NamedTuple):
    """One shape: what it says (`kind`) and how it reads."""

    kind: str
    pattern: re.Pattern[str]


class Language(NamedTuple):
    """A language: what gives it away, and its shapes in the order they are tried."""

    code: str
    clue: re.Pattern[str]
    shapes: tuple[Shape, ...]


def _language(code: str, clue: str, **shapes: str | tuple[str, ...]) -> Language:
    made = [
        Shape(kind, re.compile(pattern, re.IGNORECASE))
        for kind, patterns in shapes.items()
        for pattern in ((patterns,) if isinstance(patterns, str) else patterns)
    ]
    return Language(code, re.compile(clue, re.IGNORECASE), tuple(made))


_V = r"(?P<v>\S.*)"
_X = r"(?P<x>[^\W\d_]+(?:\s[^\W\d_]+)?)"
_VR = r"(?P<v>[^\s,].{0,40}?)\s*,?\s+"
_R = r"(?P<r>\S.{0,40})"

LATIN = (
    _language(
        "es",
        r"\b(?:me|mi|mis|vivo|trabajo|soy|recuerda|acuérdate|acuerdate|olvid\w+|llámame|llamame|ten|apunta|nací|no)\b",
        remember=(
            r"(?:recuerda|recuérdate|acu[ée]rdate(?:\s+de)?|no\s+olvides|no\s+te\s+olvides(?:\s+de)?|ten\s+en\s+cuenta|apunta|anota|quiero\s+que\s+recuerdes)\s*(?:que\s+|:\s*)(?P<w>\S.*)",
        ),
        forget=(
            r"(?:olvida|olvídate\s+de|olvidate\s+de|borra|elimina)\s+(?:todo\s+sobre\s+|lo\s+de\s+)?(?P<w>(?:mis?\s+\S|que\s+(?:yo|me|mi|vivo|trabajo|soy|tengo)\b).*)",
        ),
        renamed=rf"mi\s+{_X}\s+se\s+llama\s+{_VR}(?:y\s+)?no\s+{_R}",
        corrected=rf"(?:se\s+llama|es)\s+{_VR}(?:y\s+)?no\s+{_R}",
        name=rf"(?:yo\s+)?(?:me\s+llamo|mi\s+nombre\s+es)\s+{_V}",
        nickname=rf"(?:puedes\s+|podés\s+)?ll[aá]ma(?:rme|me)\s+{_V}",
        thing=(
            rf"mi\s+{_X}\s+se\s+llama\s+{_V}",
            rf"el\s+nombre\s+de\s+mi\s+{_X}\s+es\s+{_V}",
            rf"tengo\s+(?:un|una)\s+{_X}\s+(?:que\s+se\s+llama|llamad[oa])\s+{_V}",
        ),
        favorite=rf"mi\s+{_X}\s+(?:favorit[oa]|preferid[oa])\s+es\s+(?:el\s+|la\s+)?{_V}",
        birthday=rf"(?:mi\s+cumpleaños\s+es|cumplo\s+años)\s+(?:el\s+)?{_V}",
        moved=rf"me\s+(?:mud[eé]|he\s+mudado)\s+a\s+{_V}",
        lives=rf"(?:yo\s+|ahora\s+)?vivo\s+en\s+{_V}",
        works=rf"trabajo\s+(?:en|para)\s+{_V}",
        origin=rf"soy\s+de\s+{_V}",
        allergic=rf"(?:soy\s+alérgic[oa]|tengo\s+alergia)\s+a(?:l|\s+l[oa]s?)?\s+{_V}",
        hates=rf"(?:odio|no\s+me\s+gustan?)\s+{_V}",
        likes=rf"me\s+(?:gustan?|encantan?)\s+{_V}",
    ),
    _language(
        "pt",
        r"\b(?:meu|minha|me|chamo|moro|vivo|trabalho|sou|lembr\w+|esque[çc]\w+|chame|chama|não)\b",
        remember=r"(?:lembr[ae](?:-se)?(?:\s+de)?|não\s+(?:se\s+)?esque[çc]as?(?:\s+de)?|não\s+esquece|anota|guarda|tenha\s+em\s+mente)\s*(?:que\s+|:\s*)(?P<w>\S.*)",
        forget=r"(?:esque[çc][ae]|apag[ae])\s+(?:d[eoa]s?\s+|sobre\s+|tudo\s+sobre\s+)?(?:[oa]s?\s+)?(?P<w>(?:meus?|minhas?)\s+\S.*|que\s+(?:eu|meu|minha|moro)\b.*)",
        renamed=rf"(?:[oa]\s+)?(?:meu|minha)\s+{_X}\s+(?:se\s+chama|chama-se)\s+{_VR}(?:e\s+)?não\s+{_R}",
        corrected=rf"(?:se\s+chama|chama-se|é)\s+(?:[oa]\s+)?{_VR}(?:e\s+)?não\s+{_R}",
        name=rf"(?:(?:eu\s+)?me\s+chamo|(?:eu\s+)?chamo-me|(?:o\s+)?meu\s+nome\s+é)\s+{_V}",
        nickname=rf"(?:pode\s+)?me\s+cham(?:e|a|ar)\s+(?:de\s+)?{_V}",
        thing=(
            rf"(?:[oa]\s+)?(?:meu|minha)\s+{_X}\s+(?:se\s+chama|chama-se)\s+{_V}",
            rf"o\s+nome\s+d[oa]\s+(?:meu|minha)\s+{_X}\s+é\s+{_V}",
            rf"tenho\s+(?:um|uma)\s+{_X}\s+(?:que\s+se\s+chama|chamad[oa])\s+{_V}",
        ),
        favorite=rf"(?:[oa]\s+)?(?:meu|minha)\s+{_X}\s+(?:favorit[oa]|preferid[oa])\s+é\s+(?:[oa]\s+)?{_V}",
        birthday=rf"(?:o\s+)?meu\s+anivers[áa]rio\s+é\s+(?:(?:no\s+)?dia\s+|em\s+|a\s+)?{_V}",
        moved=rf"(?:eu\s+)?me\s+mudei\s+(?:para|pra)\s+{_V}",
        lives=rf"(?:eu\s+)?(?:moro|vivo)\s+(?:em|no|na|nos)\s+{_V}",
        works=rf"(?:eu\s+)?trabalho\s+(?:na|no|para\s+a|para\s+o|em)\s+{_V}",
        origin=rf"(?:eu\s+)?sou\s+d[eoa]\s+{_V}",
        allergic=rf"(?:eu\s+)?(?:sou\s+alérgic[oa]|tenho\s+alergia)\s+(?:a|ao|à|aos|às)\s+{_V}",
        hates=rf"(?:eu\s+)?(?:odeio|não\s+gosto\s+d[eoa]s?)\s+{_V}",
        likes=rf"(?:eu\s+)?(?:adoro|gosto\s+d[eoa]s?|amo)\s+{_V}",
    ),
    _language(
        "fr",
        r"\b(?:je|j'\w+|mon|ma|mes|m'appelle|appelle|souviens|rappelle|retiens|note|n'oublie|oublie|il|elle|c'est|ne)\b",
        remember=r"(?:souviens-toi|rappelle-toi|retiens|note|n'oublie\s+pas|garde\s+en\s+tête|n'oublie\s+jamais)\s*(?:bien\s+)?(?:que\s+|qu'|:\s*)(?P<w>\S.*)",
        forget=r"(?:oublie|efface|supprime)\s+(?:tout\s+sur\s+|ce\s+que\s+tu\s+sais\s+sur\s+)?(?P<w>(?:mon|ma|mes)\s+\S.*|que\s+(?:je|j'|mon|ma)\b.*)",
        renamed=rf"(?:mon|ma)\s+{_X}\s+s'appelle\s+{_VR}(?:et\s+)?pas\s+{_R}",
        corrected=rf"(?:(?:il|elle)\s+s'appelle|c'est)\s+{_VR}(?:et\s+)?pas\s+{_R}",
        name=rf"(?:moi\s+)?(?:je\s+m'appelle|je\s+me\s+nomme|mon\s+(?:pré)?nom\s+(?:est|c'est))\s+{_V}",
        nickname=rf"(?:tu\s+peux\s+m'appeler|appelle-moi)\s+{_V}",
        thing=(
            rf"(?:mon|ma)\s+{_X}\s+s'appelle\s+{_V}",
            rf"le\s+nom\s+de\s+(?:mon|ma)\s+{_X}\s+est\s+{_V}",
            rf"j'ai\s+(?:un|une)\s+{_X}\s+(?:qui\s+s'appelle|nommée?|appelée?)\s+{_V}",
        ),
        favorite=rf"(?:mon|ma)\s+{_X}\s+(?:préférée?|favorite?)\s+(?:est|c'est)\s+(?:l[ea]\s+|l')?{_V}",
        birthday=rf"mon\s+anniversaire\s+(?:est|c'est)\s+(?:le\s+)?{_V}",
        moved=rf"j'ai\s+déménagé\s+(?:à|en|au)\s+{_V}",
        lives=rf"(?:j'habite|je\s+vis)\s+(?:à|en|au|dans)\s+{_V}",
        works=rf"je\s+travaille\s+(?:chez|à|pour)\s+{_V}",
        origin=rf"je\s+viens\s+d(?:e\s+|u\s+|'){_V}",
        allergic=rf"je\s+suis\s+allergique\s+(?:aux?|à\s+la|à\s+l'|à)\s*{_V}",
        hates=rf"(?:je\s+déteste|je\s+n'aime\s+pas)\s+{_V}",
        likes=rf"j'(?:aime|adore)\s+(?:bien\s+|beaucoup\s+)?(?=l[ea]s?\s|l'){_V}",
    ),
    _language(
        "de",
        r"\b(?:ich|mein|meine|meinen|nenn|merk|vergiss|denk|er|sie|es|bitte)\b",
        remember=(
            r"(?:merk(?:e)?\s+dir|denk\s+dran|denk\s+daran|vergiss\s+(?:bitte\s+)?nicht|behalte|notier(?:e)?\s+dir|notiere)\s*(?:bitte\s*)?(?:,?\s*dass\s+|:\s*)(?P<w>\S.*)",
        ),
        forget=r"(?:vergiss|lösch(?:e)?)\s+(?:bitte\s+)?(?:alles\s+über\s+)?(?P<w>(?:meine[nmrs]?|mein)\s+\S.*|,?\s*dass\s+(?:ich|mein\w*)\b.*)",
        renamed=rf"meine?\s+{_X}\s+hei(?:ß|ss)t\s+{_VR}(?:und\s+)?nicht\s+{_R}",
        corrected=rf"(?:(?:er|sie|es)\s+hei(?:ß|ss)t|(?:es|das|er|sie)\s+ist)\s+{_VR}(?:und\s+)?nicht\s+{_R}",
        name=rf"(?:ich\s+(?:hei(?:ß|ss)e|bin\s+der|bin\s+die(?=\s+[A-Z]\w+$))|mein\s+name\s+ist)\s+{_V}",
        nickname=r"(?:du\s+kannst\s+mich|nenn(?:e)?\s+mich)\s+(?P<v>\S+)(?:\s+nennen)?$",
        thing=(
            rf"meine?\s+{_X}\s+hei(?:ß|ss)t\s+{_V}",
            rf"der\s+name\s+mein(?:es|er)\s+{_X}\s+ist\s+{_V}",
            rf"ich\s+habe?\s+(?:einen|eine|ein)\s+{_X}(?:\s*,\s*d(?:er|ie|as)\s+|\s+namens\s+)(?P<v>\S+)(?:\s+hei(?:ß|ss)t)?",
        ),
        favorite=rf"meine?\s+lieblings(?P<x>[^\W\d_]+)\s+ist\s+(?:d(?:er|ie|as)\s+)?{_V}",
        birthday=r"(?:mein\s+geburtstag\s+ist|ich\s+habe?\s+geburtstag|ich\s+habe?)\s+am\s+(?P<v>\d.*?)(?:\s+geburtstag)?$",
        moved=r"ich\s+bin\s+(?:letzten?\s+\w+\s+|neulich\s+)?nach\s+(?P<v>\S+(?:\s\S+)?)\s+(?:um)?gezogen",
        lives=rf"ich\s+(?:wohne|lebe)\s+(?:jetzt\s+|gerade\s+)?(?:in|bei|auf)\s+{_V}",
        works=rf"ich\s+arbeite\s+(?:bei|für)\s+{_V}",
        origin=rf"ich\s+(?:komme|bin)\s+aus\s+{_V}",
        allergic=(
            rf"ich\s+bin\s+(?:stark\s+)?allergisch\s+(?:gegen|auf)\s+{_V}",
            r"ich\s+(?P<w0>)allergisch\s+gegen\s+(?P<v>\S+)\s+bin$",
        ),
        avoids=r"ich\s+(?:esse|trinke)\s+kein(?:e|en)?\s+(?P<v>\S+)$",
        hates=rf"ich\s+(?:hasse|mag\s+kein(?:e|en)?)\s+{_V}",
        likes=rf"ich\s+(?:liebe|mag)\s+(?!dich|es|das\b|nicht|kein){_V}",
    ),
    _language(
        "it",
        r"\b(?:mi|mio|mia|mie|miei|vivo|abito|lavoro|sono|ricord\w+|dimentic\w+|chiamami|non|si|ho)\b",
        remember=r"(?:ricorda(?:ti)?(?:\s+di)?|non\s+dimenticare|non\s+dimenticarti|tieni\s+a\s+mente|segnati|annota)\s*(?:che\s+|:\s*)(?P<w>\S.*)",
        forget=r"(?:dimentica(?:ti)?|cancella|elimina)\s+(?:tutto\s+su\s+|di\s+)?(?:il\s+|la\s+|i\s+|le\s+|l')?(?P<w>(?:mi[oae]|miei)\s+\S.*|che\s+(?:io|mi|vivo|il\s+mio|la\s+mia|sono|ho)\b.*)",
        renamed=rf"(?:il\s+|la\s+)?mi[oa]\s+{_X}\s+si\s+chiama\s+{_VR}(?:e\s+)?non\s+{_R}",
        corrected=rf"(?:si\s+chiama|è)\s+{_VR}(?:e\s+)?non\s+{_R}",
        name=rf"(?:io\s+)?(?:mi\s+chiamo|il\s+mio\s+nome\s+è)\s+{_V}",
        nickname=rf"(?:puoi\s+)?chiama(?:mi|rmi)\s+{_V}",
        thing=(
            rf"(?:il\s+|la\s+)?mi[oa]\s+{_X}\s+si\s+chiama\s+{_V}",
            rf"il\s+nome\s+del(?:la)?\s+mi[oa]\s+{_X}\s+è\s+{_V}",
            rf"ho\s+(?:un|una|uno)\s+{_X}\s+(?:che\s+si\s+chiama|di\s+nome|chiamat[oa])\s+{_V}",
        ),
        favorite=rf"(?:il\s+|la\s+)?mi[oa]\s+{_X}\s+(?:preferit[oa]|favorit[oa])\s+è\s+(?:il\s+|la\s+|l'|lo\s+)?{_V}",
        birthday=rf"(?:il\s+)?mio\s+compleanno\s+è\s+(?:il\s+|l')?{_V}",
        moved=rf"mi\s+sono\s+trasferit[oa]\s+(?:a|in)\s+{_V}",
        lives=rf"(?:io\s+)?(?:vivo|abito)\s+(?:a|in|ad)\s+{_V}",
        works=rf"lavoro\s+(?:per|da|alla|presso|in)\s+{_V}",
        origin=rf"(?:sono\s+di|vengo\s+da(?:lla?)?)\s+{_V}",
        allergic=rf"sono\s+allergic[oa]\s+(?:a|al|alla|alle|ai|agli|all')\s*{_V}",
        hates=rf"(?:odio|non\s+mi\s+piac(?:e|ciono))\s+{_V}",
        likes=rf"(?:adoro|mi\s+piac(?:e|ciono))\s+(?!se\b|quando\b|che\b|tu\b){_V}",
    ),
    _language(
        "tr",
        r"\b(?:adım|ismim|benim|bana|yaşıyorum|oturuyorum|çalışıyorum|adı|ismi|unut\w*|hatırla|aklında|sakla|alerjim|seviyorum|taşındım|değil|rengim)\b|ım$|im$",
        remember=(
            r"(?:şunu\s+)?(?:lütfen\s+)?(?:unutma|hatırla|aklında\s+tut|not\s+al|aklında\s+olsun)\s*[:,]\s*(?P<w>\S.*)",
            r"(?P<w>\S.*(?:dığımı|diğimi|duğumu|düğümü|tığımı|tiğimi|tuğumu|olduğunu|olduğumu))\s+(?:unutma|hatırla|aklında\s+tut)$",
        ),
        forget=r"(?P<w>\S+(?:\s\S+){0,3}?(?:ımı|imi|umu|ümü|ğimi|ğımı|ğumu))\s+unut$",
        renamed=r"(?P<x>\S+)[ıiuü]m[ıiuü]n\s+(?:adı|ismi)\s+(?P<v>\S.{0,30}?)\s*,?\s+(?P<r>\S.{0,30}?)\s+değil$",
        name=rf"(?:benim\s+)?(?:adım|ismim)\s+{_V}",
        nickname=r"bana\s+(?P<v>\S+)\s+(?:de|diyebilirsin|deyin)$",
        thing=rf"(?:benim\s+)?(?P<x>\S+)[ıiuü]m[ıiuü]n\s+(?:adı|ismi)\s+{_V}",
        favorite=rf"en\s+sevdiğim\s+(?P<x>\S+)\s+{_V}",
        birthday=rf"doğum\s+günüm\s+{_V}",
        moved=r"(?P<v>[^\s']+)'?(?:a|e|ya|ye)\s+taşındım$",
        lives=r"(?:ben\s+)?(?P<v>[^\s']+)'?(?:da|de|ta|te)\s+(?:yaşıyorum|oturuyorum)$",
        works=r"(?:ben\s+)?(?P<v>[^\s']+)'?(?:da|de|ta|te)\s+çalışıyorum$",
        allergic=r"(?P<v>\S+?)(?:a|e|ya|ye)\s+alerjim\s+var$",
    ),
)

OTHERS = (
    _language(
        "ru",
        r"[а-яё]",
        remember=r"(?:запомни|помни|не\s+забудь|не\s+забывай|запиши|имей\s+в\s+виду)(?:те)?\s*(?:,?\s*что\s+|:\s*)(?P<w>\S.*)",
        forget=r"(?:забудь|удали|сотри)(?:те)?\s+(?:вс[её]\s+)?(?:о|об|про|обо)?\s*(?P<w>(?:мо[йеюяиё]\w*)\s+\S.*)|(?:забудь|забудьте)\s*,?\s+что\s+(?P<w2>(?:я|мо\w+|у\s+меня|меня)\s.*)",
        renamed=rf"(?:мо[юяийе]\w*)\s+{_X}\s+зовут\s+{_VR}(?:а\s+)?не\s+{_R}",
        corrected=rf"(?:его|её|ее)\s+зовут\s+{_VR}(?:а\s+)?не\s+{_R}|это\s+(?P<v2>\S.{{0,30}}?)\s*,\s+(?:а\s+)?не\s+(?P<r2>\S.{{0,30}})",
        name=rf"(?:меня\s+зовут|мо[её]\s+имя)\s*[-–—]?\s*{_V}",
        nickname=rf"(?:зови|называй|можешь\s+звать|можешь\s+называть)(?:те)?\s+меня\s+{_V}",
        thing=(
            rf"(?:мо(?:ю|его|й|я|ей|их)|нашу|нашего)\s+{_X}\s+зовут\s+{_V}",
            rf"у\s+меня\s+есть\s+{_X}\s+по\s+(?:имени|кличке)\s+{_V}",
            rf"имя\s+мо(?:его|ей)\s+{_X}\s*[-–—]?\s*{_V}",
            rf"кличка\s+мо(?:его|ей)\s+{_X}\s*[-–—]?\s*{_V}",
        ),
        favorite=rf"мо(?:й|я|[её])\s+любим(?:ый|ая|ое)\s+{_X}\s*[-–—]\s*{_V}",
        birthday=r"(?:у\s+меня\s+|мой\s+)?день\s+рождения\s*[-–—]?\s*(?:у\s+меня\s+)?(?P<v>\d.*)",
        moved=rf"я\s+(?:недавно\s+|уже\s+)?переехала?\s+(?:жить\s+)?в\s+{_V}",
        lives=rf"я\s+(?:сейчас\s+|теперь\s+)?живу\s+(?:в|на)\s+{_V}",
        works=rf"я\s+(?:сейчас\s+)?работаю\s+(?:в|на)\s+{_V}",
        origin=rf"я\s+(?:родом\s+)?из\s+{_V}",
        allergic=rf"у\s+меня\s+аллергия\s+на\s+{_V}",
        avoids=rf"я\s+не\s+(?:ем|пью)\s+{_V}",
        hates=rf"я\s+(?:ненавижу|не\s+люблю)\s+(?!когда|тебя|это){_V}",
        likes=rf"я\s+(?:очень\s+)?(?:люблю|обожаю)\s+(?!когда|тебя|это|вас|его|е[её]\b|что){_V}",
    ),
    _language(
        "uk",
        r"[а-яіїєґ]",
        remember=r"(?:запам['ʼ]ятай|пам['ʼ]ятай|не\s+забудь|не\s+забувай|запиши|май\s+на\s+увазі)(?:те)?\s*(?:,?\s*що\s+|:\s*)(?P<w>\S.*)",
        forget=r"(?:забудь|видали)(?:те)?\s+(?:все\s+)?(?:про\s+)?(?P<w>мо[йєюяїєі]\w*\s+\S.*)|(?:забудь)\s*,?\s+що\s+(?P<w2>(?:я|мо\w+|у\s+мене|мене)\s.*)",
        renamed=rf"мо(?:ю|го|їй|єму)\s+{_X}\s+(?:звати|звуть)\s+{_VR}(?:а\s+)?не\s+{_R}",
        name=rf"(?:мене\s+(?:звати|звуть)|моє\s+ім['ʼ]я)\s*[-–—]?\s*{_V}",
        nickname=rf"(?:клич|називай)(?:те)?\s+мене\s+{_V}",
        thing=(rf"мо(?:ю|го|його|єї|їй|єму)\s+{_X}\s+(?:звати|звуть)\s+{_V}",),
        favorite=rf"м(?:ій|оя|оє)\s+улюблен(?:ий|а|е)\s+{_X}\s*[-–—]\s*{_V}",
        birthday=r"(?:у\s+мене\s+|мій\s+)?день\s+народження\s*[-–—]?\s*(?:у\s+мене\s+)?(?P<v>\d.*)",
        moved=rf"я\s+(?:нещодавно\s+)?переїха(?:в|ла)\s+(?:до|в|у)\s+{_V}",
        lives=rf"я\s+(?:зараз\s+|тепер\s+)?(?:живу|мешкаю)\s+(?:в|у|на)\s+{_V}",
        works=rf"я\s+працюю\s+(?:в|у|на)\s+{_V}",
        origin=rf"я\s+(?:родом\s+)?(?:з|із|зі)\s+{_V}",
        allergic=rf"(?:у\s+мене|в\s+мене|маю)\s+алергі[яю]\s+на\s+{_V}",
        likes=rf"я\s+(?:дуже\s+)?(?:люблю|обожнюю)\s+(?!коли|тебе|це){_V}",
    ),
    _language(
        "hi",
        r"[\u0900-\u097f]",
        remember=(
            r"(?:याद\s+रख(?:ना|ो|िए|िएगा|ें)?|मत\s+भूलना|नोट\s+कर(?:ो|ना|\s+लो)?)\s*(?:कि\s+|:\s*)(?P<w>\S.*)",
        ),
        forget=r"(?P<w>मेर[ाीे]\s+\S.*?)\s+(?:को\s+)?भूल\s+(?:जाओ|जाना|जाइए|जा)$|भूल\s+(?:जाओ|जाना|जाइए)\s+कि\s+(?P<w2>(?:मैं|मेर|मुझे).*)",
        renamed=r"मेर[ीे]\s+(?P<x>\S+(?:\s\S+)?)\s+का\s+नाम\s+(?P<v>\S.{0,30}?)\s+है\s*,?\s+(?P<r>\S.{0,30}?)\s+नहीं$",
        name=r"मेरा\s+नाम\s+(?P<v>\S.*?)\s+(?:है|हैं)$",
        nickname=r"(?:तुम\s+|आप\s+)?मुझे\s+(?P<v>\S+)\s+(?:कहो|बुलाओ|कह\s+सकते\s+हो|बुला\s+सकते\s+हो|कहिए)$",
        thing=r"(?:मेर[ीे]|हमारे)\s+(?P<x>\S+(?:\s\S+)?)\s+का\s+नाम\s+(?P<v>\S.*?)\s+है$",
        favorite=r"(?:मेर[ाी]|मेरे)\s+(?:पसंदीदा|मनपसंद)\s+(?P<x>\S+)\s+(?P<v>\S.*?)\s+है$",
        birthday=r"मेरा\s+(?:जन्मदिन|जन्म\s+दिन|बर्थडे)\s+(?P<v>\S.*?)\s+(?:को\s+)?(?:है|होता\s+है)$",
        lives=r"मैं\s+(?:अब\s+|अभी\s+)?(?P<v>\S.*?)\s+में\s+रहत[ाीे]\s+(?:हूँ|हूं|हु)$",
        works=r"मैं\s+(?P<v>\S.*?)\s+में\s+काम\s+करत[ाी]\s+(?:हूँ|हूं)$",
        allergic=r"मुझे\s+(?P<v>\S.*?)\s+से\s+एलर्जी\s+है$",
        likes=r"मुझे\s+(?P<v>\S.*?)\s+(?:बहुत\s+)?(?:पसंद|अच्छ[ाीे]\s+लगत[ाीे])\s+(?:है|हैं)$",
    ),
    _language(
        "ar",
        r"[\u0600-\u06ff]",
        remember=r"(?:تذك[ّ]?ر(?:ي)?|لا\s+تنس[َىي]?|سج[ّ]?ل|احفظ|ضع\s+في\s+بالك)\s*(?:[أا]ن[ّ]?\s*(?=\S)|:\s*)(?P<w>\S.*)",
        forget=r"(?:انس[َىي]?|[إا]نس|احذف|امسح)\s+(?P<w>(?:(?:[أا]ن[ّ]?ن?ي)\s+\S.*|\S+ي(?:\s\S.*)?))$",
        name=rf"(?:[أا]نا\s+)?اسمي\s+(?:هو\s+)?{_V}",
        nickname=rf"(?:نادني|نادِني|نادني\s+ب)\s+{_V}",
        thing=(
            r"(?P<x>[^\W\d_]+?)ي\s+اسم(?:ه|ها)\s+(?P<v>\S.*)",
            r"اسم\s+(?P<x>[^\W\d_]+?)ي\s+(?:هو\s+)?(?P<v>\S.*)",
        ),
        birthday=r"عيد\s+ميلادي\s+(?:هو\s+|في\s+|يوم\s+)*(?P<v>\S.*)",
        moved=rf"انتقلت\s+[إا]لى\s+{_V}",
        lives=rf"(?:[أا]نا\s+)?(?:[أا]عيش|[أا]سكن|ساكن|ساكنة)\s+في\s+{_V}",
        works=rf"(?:[أا]نا\s+)?[أا]عمل\s+(?:في|لدى)\s+{_V}",
        origin=rf"[أا]نا\s+من\s+{_V}",
        allergic=rf"(?:عندي|لدي)\s+حساسية\s+من\s+{_V}",
        likes=rf"[أا]حب\s+(?!ك\b|أن\b|ذلك){_V}",
    ),
    _language(
        "zh",
        r"[\u4e00-\u9fff]",
        remember=r"(?:请|請|帮我|你要|要)?(?:记住|記住|记得|記得|别忘了|別忘了|不要忘记)[:：,，]?\s*(?P<w>(?:我|俺|咱).*)",
        forget=r"(?:请|請)?(?:忘记|忘記|忘掉|忘了|删除|刪除)(?:关于)?(?P<w>我(?!说|刚|們|们).+?)(?:吧|了)?$",
        renamed=r"我(?:家)?的?(?P<x>[^\s的]{1,6}?)(?:的名字)?(?:叫|是)(?P<v>[^\s,，不]{1,12}?)[,，]?\s*不(?:叫|是)(?P<r>[^\s,，]{1,12})",
        nickname=r"(?:你可以|请|請|就)?叫我(?P<v>[^\s,，]{1,8}?)(?:吧|就好|就行|好了)?$",
        name=r"(?:我叫|我的名字(?:是|叫)|我名叫)\s*(?P<v>[^\s,，]{1,12})$",
        thing=(
            r"我(?:家)?的?(?P<x>[^\s的我们]{1,6}?)(?:的)?名字(?:是|叫)\s*(?P<v>[^,，]{1,14})$",
            r"我(?:家)?的?(?P<x>[^\s的我不没]{1,5}?)叫\s*(?P<v>[^,，我你他她]{1,14})$",
            r"我(?:养了|有)(?:一)?(?:只|条|个|隻|條)(?P<x>[^\s的]{1,4}?)[,，]?叫\s*(?P<v>[^,，]{1,14})$",
        ),
        favorite=r"我最喜欢的(?P<x>[^\s是]{1,5})是(?P<v>[^,，]{1,14})$",
        birthday=r"我的?生日是(?P<v>[^,，]{2,14})$",
        moved=r"我(?:已经|最近|刚)?搬(?:到|去)了?(?P<v>[^,，了]{1,10})了?$",
        lives=r"我(?:现在|現在)?住在(?P<v>[^,，]{1,12})$",
        works=r"我在(?P<v>[^,，]{1,12})(?:工作|上班)$",
        origin=r"我(?:是从|来自|來自)(?P<v>[^,，]{1,10}?)(?:来的)?$",
        allergic=r"我对(?P<v>[^,，]{1,10})过敏$",
        avoids=r"我不(?:吃|喝)(?P<v>[^,，了]{1,8})$",
        hates=r"我(?:讨厌|不喜欢)(?P<v>[^,，你这那]{1,12})$",
        likes=r"我(?:很|最|非常|特别)?(?:喜欢|爱吃|爱喝)(?P<v>[^,，你这那他她它]{1,12})$",
    ),
    _language(
        "ja",
        r"[\u3040-\u30ff\u4e00-\u9fff]",
        remember=(
            r"(?P<w>\S.+?)(?:って|という?こと)?(?:を|、)?(?:覚えて(?:おいて|て|ね|いて)|忘れないで|メモして)(?:ね|よ|ください|下さい|おいて)*$",
            r"(?:覚えて(?:おいて|て|ください)?|忘れないで)[:：]\s*(?P<w>\S.*)",
        ),
        forget=r"(?P<w>(?:私|僕|俺|うち|わたし|ぼく|あたし)の.+?)(?:のこと)?(?:を|は|、)?(?:忘れて|削除して)(?:ね|ください|下さい|くれ|ほしい)?$",
        corrected=r"(?P<r>\S{1,15}?)(?:じゃなくて|ではなく(?:て)?|じゃなく)、?\s*(?P<v>\S{1,15}?)(?:です|だよ|だ|といいます)(?:よ|ね)?$",
        name=r"(?:(?:私|僕|俺|わたし|ぼく|あたし)(?:の名前)?は|名前は)\s*(?P<v>[^\s、のが]{1,14}?)(?:です|といいます|と言います|と申します|だよ|って言います|って名前です)(?:よ|ね)?$",
        nickname=r"(?:私|僕|俺)?(?:のこと)?(?:は|を)?(?P<v>[^\s、はを]{1,12})(?:と|って)呼んで(?:ね|ください|下さい|よ)?$",
        thing=(
            r"(?:(?:私|僕|俺|うち|わたし|ぼく|我が家)の)(?P<x>[^\s、の]{1,8})(?:の名前)?は\s*(?P<v>[^\s、]{1,14}?)(?:といいます|と言います|っていいます|って言います|という名前です|って名前です)(?:よ|ね)?$",
            r"(?:(?:私|僕|俺|うち|わたし|ぼく|我が家)の)(?P<x>[^\s、の]{1,8})の名前は\s*(?P<v>[^\s、]{1,14}?)(?:です|だよ|だ)(?:よ|ね)?$",
        ),
        favorite=r"(?:(?:私|僕|俺)の)?好きな(?P<x>[^\s、はの]{1,6})は(?P<v>[^\s、]{1,12}?)(?:です|だよ|だ)$",
        birthday=r"(?:(?:私|僕|俺)の)?誕生日は(?P<v>\S{2,14}?)(?:です|だよ|だ)(?:よ|ね)?$",
        moved=r"(?P<v>[^\s、は]{1,10})(?:に|へ)引っ越しました$",
        lives=r"(?:(?:私|僕|俺|今)は?)?(?P<v>[^\s、は]{1,10})に住んで(?:います|いる|ます|る)(?:よ|ね)?$",
        works=r"(?:(?:私|僕|俺)は)?(?P<v>[^\s、は]{1,12})で働いて(?:います|いる|ます|る)$",
        origin=r"(?:(?:私|僕|俺)は)?(?P<v>[^\s、は]{1,10})(?:出身です|から来ました)$",
        allergic=r"(?:(?:私|僕|俺)は)?(?P<v>[^\s、は]{1,10})アレルギー(?:です|があります|なんです|だ)$",
        hates=r"(?:(?:私|僕|俺)は)?(?P<v>[^\s、は]{1,10})が(?:嫌い|苦手|大嫌い)(?:です|だ)?$",
        likes=r"(?:(?:私|僕|俺)は)?(?P<v>[^\s、は]{1,10})が(?:大好き|好き)(?:です|だ)?(?:よ)?$",
    ),
    _language(
        "ko",
        r"[\uac00-\ud7af]",
        remember=(
            r"(?P<w>\S.+?)(?:다는\s*(?:걸|것을|거)|라는\s*(?:걸|것을|거)|는\s*(?:걸|것을))\s*(?:꼭\s*)?(?:기억해|잊지\s*마)\s*(?:줘|주세요|줘요|둬|요)?$",
            r"(?:기억해\s*(?:줘|주세요|둬)?|잊지\s*마(?:세요)?)\s*[:,]\s*(?P<w>\S.*)",
        ),
        forget=r"(?P<w>(?:내|제|나의|저의|우리)\s*\S.*?)(?:을|를|은|는)?\s*(?:잊어|지워|삭제해)\s*(?:줘|주세요|버려|줘요)?$",
        corrected=r"(?P<r>\S{1,12}?)(?:이|가)?\s*아니(?:라|고)\s*(?P<v>\S{1,12}?)(?:이에요|예요|에요|입니다|이야|야)$",
        name=(
            r"(?:제|내|저의|나의)\s*이름은\s*(?P<v>\S{1,12}?)(?:이에요|예요|에요|입니다|이야|야|이라고\s*(?:해요|합니다)|라고\s*(?:해요|합니다|해))?$",
            r"(?:저는|나는|난|전)\s*(?P<v>\S{1,10}?)(?:이라고|라고)\s*(?:해요|합니다|해|불러\s*주세요)$",
        ),
        nickname=r"(?:저를|나를|절|날)\s*(?P<v>\S{1,10}?)(?:이라고|라고)\s*불러\s*(?:줘|주세요|줘요)?$",
        thing=r"(?:우리|제|내|저의|나의)\s*(?P<x>\S{1,8}?)(?:의)?\s*이름은\s*(?P<v>\S{1,12}?)(?:이에요|예요|에요|입니다|이야|야)?$",
        favorite=r"(?:제가|내가)\s*(?:가장\s*|제일\s*)?좋아하는\s*(?P<x>\S{1,6}?)(?:은|는)\s*(?P<v>\S{1,12}?)(?:이에요|예요|에요|입니다|이야|야)$",
        birthday=r"(?:제|내)\s*생일은\s*(?P<v>\S.{1,12}?)(?:이에요|예요|에요|입니다|이야|야)?$",
        moved=r"(?:저는\s*|나는\s*)?(?P<v>\S{1,10}?)(?:으로|로)\s*이사했(?:어요|습니다|어)$",
        lives=r"(?:저는\s*|나는\s*|난\s*|전\s*)?(?:지금\s*)?(?P<v>\S{1,10}?)에\s*(?:살아요|살고\s*있어요|삽니다|살아|살고\s*있어)$",
        works=r"(?:저는\s*|나는\s*)?(?P<v>\S{1,12}?)에서\s*(?:일해요|일하고\s*있어요|일합니다|일해)$",
        origin=r"(?:저는\s*|나는\s*)?(?P<v>\S{1,10}?)\s*(?:출신이에요|출신입니다|에서\s*왔어요)$",
        allergic=r"(?:저는\s*|나는\s*|전\s*)?(?P<v>\S{1,10}?)\s*알레르기가?\s*있(?:어요|습니다|어)$",
        hates=r"(?:저는\s*|나는\s*)(?P<v>\S{1,12}?)(?:을|를)\s*(?:싫어해요|싫어합니다|싫어해|못\s*먹어요)$",
        likes=r"(?:저는\s*|나는\s*)(?P<v>\S{1,12}?)(?:을|를)\s*(?:좋아해요|좋아합니다|좋아해)$",
    ),
)
