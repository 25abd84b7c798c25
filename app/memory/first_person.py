"""How people speak of themselves: words, endings and phrases of many languages.

Some languages can't do without "I" or "my" where a person speaks of themself. The others can leave
it out, so that its absence says nothing.
"""

from __future__ import annotations

import re

_SPACED = """
en: i i'm i've i'd i'll ive my mine me myself we our ours us were weve
de: ich mein meine meinen meinem meiner meines mir mich wir uns unser unsere unseren unserem
fr: je j m moi mon ma mes me nous notre nos
nl: ik mijn mn mij wij ons onze
sv: jag min mitt mina mig vi vår vårt våra
no: jeg mitt mine meg
es: yo mi mis me conmigo soy estoy tengo vivo trabajo nací prefiero quiero estudio odio necesito
    llevo nosotros nuestro nuestra nuestros nuestras somos tenemos vivimos
pt: eu meu minha meus minhas mim sou estou tenho moro vivo trabalho nasci prefiro gosto odeio
    preciso nós nosso nossa nossos nossas somos temos
it: io mio mia miei mie mi sono ho vivo abito lavoro preferisco odio devo noi nostro nostra siamo
ca: jo meu meva meus meves soc tinc visc treballo
ro: eu meu mea mei mele mie mă sunt locuiesc lucrez prefer noi nostru noastră
pl: ja mój moja moje mam jestem mieszkam pracuję lubię wolę mnie mną mi my nasz nasza
cs: já můj moje moji mám jsem bydlím pracuji mě mně mi náš naše
sk: ja môj moja mám som bývam pracujem mňa mi
hr: ja moj moja moje imam sam živim radim volim mene meni
hu: én vagyok nekem engem szeretem szeretek utálom lakom élek dolgozom nálam mi miénk
fi: minä mä minun mun minua minulla mulla minulle olen asun työskentelen pidän rakastan vihaan
    tykkään meidän meillä
et: mina ma minu mu mul mulle olen elan töötan
lt: aš mano man mane gyvenu dirbu esu turiu
lv: es mans mana man mani dzīvoju strādāju esmu
tr: ben benim bana beni bende biz bizim
ms: saya aku ku kami kita
tl: ako ko akin aking amin
vi: tôi mình
sw: mimi yangu wangu langu changu zangu sisi ninaishi ninafanya
ru: я мой моя моё мое мои моего моей моему моим моих мне меня мной мы наш наша наше наши нас нам
uk: я мій моя моє мої мого моєї моєму моїм моїх мені мене мною ми наш наша наше наші нас нам
bg: аз мой моя моят моята мое моето мои ми ме мен имам съм ние наш
sr: ја мој моја моје мене мени имам сам живим радим волим
el: εγώ μου με εμένα είμαι έχω μένω δουλεύω ζω λέγομαι εμείς μας
ar: أنا انا لدي عندي اسمي أسكن اسكن أعيش اعيش أعمل اعمل أحب احب أكره أفضل لي نحن عندنا زوجتي زوجي
    ابني ابنتي أمي أبي أخي أختي كلبي قطتي بيتي عملي عمري
fa: من اسمم ما هستم دارم
he: אני שלי לי אותי אנחנו שלנו גר גרה
ur: میں میرا میری میرے مجھے ہم ہمارا
hi: मैं मेरा मेरी मेरे मुझे मुझको हम हमारा हमारी हमारे
mr: मी माझा माझी माझे मला आम्ही
bn: আমি আমার আমাকে আমরা আমাদের
pa: ਮੈਂ ਮੇਰਾ ਮੇਰੀ ਮੇਰੇ ਮੈਨੂੰ
gu: હું મારો મારી મારું મને
ta: நான் என் எனக்கு எனது நாங்கள்
te: నేను నా నాకు మేము
kn: ನಾನು ನನ್ನ ನನಗೆ
ml: ഞാൻ എന്റെ എനിക്ക്
ko: 저 저는 전 제 제가 저의 저희 나 나는 난 내 내가 나의 우리 저도 나도 저한테 나한테
ka: მე ჩემი მაქვს მყავს
hy: ես իմ ինձ ունեմ
am: እኔ የእኔ
"""
WORDS = frozenset(re.sub(r"^\w+:", "", _SPACED, flags=re.MULTILINE).split())
"""Words that say "I", "my", "we", or are verbs that only "I" takes; casefolded."""

IN_SPACELESS = re.compile(
    r"[我咱俺]|本人|私|僕|ぼく|わたし|あたし|自分|うちの|ผม|ฉัน|ดิฉัน|หนู|เรา|ខ្ញុំ|ຂ້ອຍ|ကျွန်|ငါ"
)
"""The same in scripts that write without spaces between words."""

ENDINGS = re.compile(
    r"(?:[ıiuü]yoru[mz]|[^\W\d_]{3}[ıiuü][mz]|[ae]ca[ğk][ıi][mz]"  # Turkish
    r"|[^\W\d_]{4}(?:ni|mme)"  # Finnish
    r"|[^\W\d_]{3}م)\Z"  # Persian
)
"""Ends of a short sentence that say it where no pronoun is needed."""

_PRONOUNED = """
en: the a an is are was of to and it that this there you there's with for in on not have has
de: der die das ein eine ist sind und nicht es sie zu mit für auf im den dem wird war
fr: le la les un une est sont et pas ce c'est il elle des du dans pour avec sur ça
nl: de het een is zijn en niet dat met voor op van er
sv: det är en ett och inte som på av att den var
no: det er en et og ikke som på av å den var
ru: и в не на что это он она как с по но было
uk: і в не на що це він вона як з та але було
"""
_UNPRONOUNED = """
es: el la los las un una es son y no que de en con por para muy del se
pt: o a os as um uma é são e não que de em com por para muito do da no na se
it: il lo la gli le un una è sono e non che di in con per molto del della si
ro: un o este sunt și nu că de în cu la pe
pl: w i na nie się to jest z do po
hr: je i u na se da su za od
fi: on ja ei se että oli ovat myös mutta
et: on ja ei see et oli
hu: a az és nem egy hogy van
"""


def _tables(text: str) -> tuple[frozenset[str], ...]:
    lines = [line.partition(":")[2].split() for line in text.replace("\n  ", " ").splitlines()]
    return tuple(frozenset(line) for line in lines if line)


PRONOUNED = _tables(_PRONOUNED)
"""The commonest words of languages that say "I" where they mean it."""
UNPRONOUNED = _tables(_UNPRONOUNED)
"""Those of some that needn't, so that neither is taken for the other."""
