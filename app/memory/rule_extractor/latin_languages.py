"""The tables of the languages that write with Latin letters."""

from __future__ import annotations

from app.memory.rule_extractor.language import THING, VALUE, VALUE_NOT, WRONG, language

LATIN = (
    language(
        "es",
        """llamo mudé mude gusta gustan encanta encantan mi mis vivo trabajo soy recuerda
        recuérdate acuérdate acuerdate olvida olvídate olvidate olvides llámame llamame ten
        apunta anota borra elimina tengo se es cumplo odio quiero yo puedes el""",
        remember=(
            r"(?:recuerda|recuérdate|acu[ée]rdate(?:\s+de)?|no\s+olvides"
            r"|no\s+te\s+olvides(?:\s+de)?|ten\s+en\s+cuenta|apunta|anota"
            r"|quiero\s+que\s+recuerdes)\s*(?:que\s+|:\s*)(?P<w>\S.*)",
        ),
        forget=(
            r"(?:olvida|olvídate\s+de|olvidate\s+de|borra|elimina)\s+(?:todo\s+sobre\s+"
            r"|lo\s+de\s+)?(?P<w>(?:mis?\s+\S|que\s+(?:yo|me|mi|vivo|trabajo|soy|tengo)\b).*)",
        ),
        renamed=rf"mi\s+{THING}\s+se\s+llama\s+{VALUE_NOT}(?:y\s+)?no\s+{WRONG}",
        corrected=rf"(?:se\s+llama|es)\s+{VALUE_NOT}(?:y\s+)?no\s+{WRONG}",
        denied=rf"se\s+llama\s+{VALUE}",
        name=rf"(?:yo\s+)?(?:me\s+llamo|mi\s+nombre\s+es)\s+{VALUE}",
        nickname=rf"(?:puedes\s+|podés\s+)?ll[aá]ma(?:rme|me)\s+{VALUE}",
        thing=(
            rf"mi\s+{THING}\s+se\s+llama\s+{VALUE}",
            rf"el\s+nombre\s+de\s+mi\s+{THING}\s+es\s+{VALUE}",
            rf"tengo\s+(?:un|una)\s+{THING}\s+(?:que\s+se\s+llama|llamad[oa])\s+{VALUE}",
        ),
        favorite=rf"mi\s+{THING}\s+(?:favorit[oa]|preferid[oa])\s+es\s+(?:el\s+|la\s+)?{VALUE}",
        birthday=rf"(?:mi\s+cumpleaños\s+es|cumplo\s+años)\s+(?:el\s+)?{VALUE}",
        moved=rf"me\s+(?:mud[eé]|he\s+mudado)\s+a\s+{VALUE}",
        lives=rf"(?:yo\s+|ahora\s+)?vivo\s+en\s+{VALUE}",
        works=rf"trabajo\s+(?:en|para)\s+{VALUE}",
        avoids=rf"(?:yo\s+)?no\s+(?:como|bebo|tomo)\s+(?!como\b|así\b){VALUE}",
        origin=rf"soy\s+de\s+{VALUE}",
        allergic=rf"(?:soy\s+alérgic[oa]|tengo\s+alergia)\s+a(?:l|\s+l[oa]s?)?\s+{VALUE}",
        hates=rf"(?:odio|no\s+me\s+gustan?)\s+{VALUE}",
        likes=rf"me\s+(?:gustan?|encantan?)\s+{VALUE}",
    ),
    language(
        "pt",
        """meu minha mudei chamo moro vivo trabalho sou lembra lembre esqueça esqueca esquece
        esqueças apaga apague anota guarda tenho chama é odeio adoro gosto amo eu""",
        remember=r"(?:lembr[ae](?:-se)?(?:\s+de)?|não\s+(?:se\s+)?esque[çc]as?(?:\s+de)?|não\s+esquece|anota|guarda|tenha\s+em\s+mente)\s*(?:que\s+|:\s*)(?P<w>\S.*)",
        forget=r"(?:esque[çc][ae]|apag[ae])\s+(?:d[eoa]s?\s+|sobre\s+|tudo\s+sobre\s+)?(?:[oa]s?\s+)?(?P<w>(?:meus?|minhas?)\s+\S.*|que\s+(?:eu|meu|minha|moro)\b.*)",
        renamed=rf"(?:[oa]\s+)?(?:meu|minha)\s+{THING}\s+(?:se\s+chama|chama-se)\s+{VALUE_NOT}(?:e\s+)?não\s+{WRONG}",
        corrected=rf"(?:se\s+chama|chama-se|é)\s+(?:[oa]\s+)?{VALUE_NOT}(?:e\s+)?não\s+{WRONG}",
        denied=rf"(?:el[ea]\s+)?(?:se\s+chama|chama-se)\s+{VALUE}",
        name=rf"(?:(?:eu\s+)?me\s+chamo|(?:eu\s+)?chamo-me|(?:o\s+)?meu\s+nome\s+é)\s+{VALUE}",
        nickname=rf"(?:pode\s+)?me\s+cham(?:e|a|ar)\s+(?:de\s+)?{VALUE}",
        thing=(
            rf"(?:[oa]\s+)?(?:meu|minha)\s+{THING}\s+(?:se\s+chama|chama-se)\s+{VALUE}",
            rf"o\s+nome\s+d[oa]\s+(?:meu|minha)\s+{THING}\s+é\s+{VALUE}",
            rf"tenho\s+(?:um|uma)\s+{THING}\s+(?:que\s+se\s+chama|chamad[oa])\s+{VALUE}",
        ),
        favorite=rf"(?:[oa]\s+)?(?:meu|minha)\s+{THING}\s+(?:favorit[oa]|preferid[oa])\s+é\s+(?:[oa]\s+)?{VALUE}",
        birthday=rf"(?:o\s+)?meu\s+anivers[áa]rio\s+é\s+(?:(?:no\s+)?dia\s+|em\s+|a\s+)?{VALUE}",
        moved=rf"(?:eu\s+)?me\s+mudei\s+(?:para|pra)\s+{VALUE}",
        lives=rf"(?:eu\s+)?(?:moro|vivo)\s+(?:em|no|na|nos)\s+{VALUE}",
        works=rf"(?:eu\s+)?trabalho\s+(?:na|no|para\s+a|para\s+o|em)\s+{VALUE}",
        avoids=rf"(?:eu\s+)?não\s+(?:como|bebo)\s+{VALUE}",
        origin=rf"(?:eu\s+)?sou\s+d[eoa]\s+{VALUE}",
        allergic=rf"(?:eu\s+)?(?:sou\s+alérgic[oa]|tenho\s+alergia)\s+(?:a|ao|à|aos|às)\s+{VALUE}",
        hates=rf"(?:eu\s+)?(?:odeio|não\s+gosto\s+d[eoa]s?)\s+{VALUE}",
        likes=rf"(?:eu\s+)?(?:adoro|gosto\s+d[eoa]s?|amo)\s+{VALUE}",
    ),
    language(
        "fr",
        """je j m mon ma souviens rappelle retiens n oublie efface supprime appelle il elle c moi
        tu garde le""",
        remember=r"(?:souviens-toi|rappelle-toi|retiens|note|n'oublie\s+pas|garde\s+en\s+tête|n'oublie\s+jamais)\s*(?:bien\s+)?(?:que\s+|qu'|:\s*)(?P<w>\S.*)",
        forget=r"(?:oublie|efface|supprime)\s+(?:tout\s+sur\s+|ce\s+que\s+tu\s+sais\s+sur\s+)?(?P<w>(?:mon|ma|mes)\s+\S.*|que\s+(?:je|j'|mon|ma)\b.*)",
        renamed=rf"(?:mon|ma)\s+{THING}\s+s'appelle\s+{VALUE_NOT}(?:et\s+)?pas\s+{WRONG}",
        corrected=rf"(?:(?:il|elle)\s+s'appelle|c'est)\s+{VALUE_NOT}(?:et\s+)?pas\s+{WRONG}",
        denied=rf"(?:il|elle)\s+s'appelle\s+{VALUE}",
        name=rf"(?:moi\s+)?(?:je\s+m'appelle|je\s+me\s+nomme|mon\s+(?:pré)?nom\s+(?:est|c'est))\s+{VALUE}",
        nickname=rf"(?:tu\s+peux\s+m'appeler|appelle-moi)\s+{VALUE}",
        thing=(
            rf"(?:mon|ma)\s+{THING}\s+s'appelle\s+{VALUE}",
            rf"le\s+nom\s+de\s+(?:mon|ma)\s+{THING}\s+est\s+{VALUE}",
            rf"j'ai\s+(?:un|une)\s+{THING}\s+(?:qui\s+s'appelle|nommée?|appelée?)\s+{VALUE}",
        ),
        favorite=rf"(?:mon|ma)\s+{THING}\s+(?:préférée?|favorite?)\s+(?:est|c'est)\s+(?:l[ea]\s+|l')?{VALUE}",
        birthday=rf"mon\s+anniversaire\s+(?:est|c'est)\s+(?:le\s+)?{VALUE}",
        moved=rf"j'ai\s+déménagé\s+(?:à|en|au)\s+{VALUE}",
        lives=rf"(?:j'habite|je\s+vis)\s+(?:à|en|au|dans)\s+{VALUE}",
        works=rf"je\s+travaille\s+(?:chez|à|pour)\s+{VALUE}",
        avoids=rf"je\s+ne\s+(?:mange|bois)\s+(?:pas|jamais)\s+d(?:e\s+|u\s+|'){VALUE}",
        origin=rf"je\s+viens\s+d(?:e\s+|u\s+|'){VALUE}",
        allergic=rf"je\s+suis\s+allergique\s+(?:aux?|à\s+la|à\s+l'|à)\s*{VALUE}",
        hates=rf"(?:je\s+déteste|je\s+n'aime\s+pas)\s+{VALUE}",
        likes=rf"j'(?:aime|adore)\s+(?:bien\s+|beaucoup\s+)?(?=l[ea]s?\s|l'){VALUE}",
    ),
    language(
        "de",
        """ich mein meine meinen nenn nenne merk merke vergiss denk behalte notier notiere lösch
        lösche er sie es das der du""",
        remember=(
            r"(?:merk(?:e)?\s+dir|denk\s+dran|denk\s+daran|vergiss\s+(?:bitte\s+)?nicht|behalte"
            r"|notier(?:e)?\s+dir|notiere)\s*(?:bitte\s*)?(?:,?\s*dass\s+|:\s*)(?P<w>\S.*)",
        ),
        forget=r"(?:vergiss|lösch(?:e)?)\s+(?:bitte\s+)?(?:alles\s+über\s+)?(?P<w>(?:meine[nmrs]?|mein)\s+\S.*|,?\s*dass\s+(?:ich|mein\w*)\b.*)",
        renamed=rf"meine?\s+{THING}\s+hei(?:ß|ss)t\s+{VALUE_NOT}(?:und\s+)?nicht\s+{WRONG}",
        corrected=rf"(?:(?:er|sie|es)\s+hei(?:ß|ss)t|(?:es|das|er|sie)\s+ist)\s+{VALUE_NOT}(?:und\s+)?nicht\s+{WRONG}",
        denied=rf"(?:er|sie|es)\s+hei(?:ß|ss)t\s+{VALUE}",
        name=rf"(?:ich\s+(?:hei(?:ß|ss)e|bin\s+der|bin\s+die(?=\s+[A-Z]\w+$))|mein\s+name\s+ist)\s+{VALUE}",
        nickname=r"(?:du\s+kannst\s+mich|nenn(?:e)?\s+mich)\s+(?P<v>\S+)(?:\s+nennen)?$",
        thing=(
            rf"meine?\s+{THING}\s+hei(?:ß|ss)t\s+{VALUE}",
            rf"der\s+name\s+mein(?:es|er)\s+{THING}\s+ist\s+{VALUE}",
            rf"ich\s+habe?\s+(?:einen|eine|ein)\s+{THING}(?:\s*,\s*d(?:er|ie|as)\s+"
            rf"|\s+namens\s+)(?P<v>\S+)(?:\s+hei(?:ß|ss)t)?",
        ),
        favorite=rf"meine?\s+lieblings(?P<x>[^\W\d_]+)\s+ist\s+(?:d(?:er|ie|as)\s+)?{VALUE}",
        birthday=r"(?:mein\s+geburtstag\s+ist|ich\s+habe?\s+geburtstag|ich\s+habe?)\s+am\s+(?P<v>\d.*?)(?:\s+geburtstag)?$",
        moved=r"ich\s+bin\s+(?:letzten?\s+\w+\s+|neulich\s+)?nach\s+(?P<v>\S+(?:\s\S+)?)\s+(?:um)?gezogen",
        lives=rf"ich\s+(?:wohne|lebe)\s+(?:jetzt\s+|gerade\s+)?(?:in|bei|auf)\s+{VALUE}",
        works=rf"ich\s+arbeite\s+(?:bei|für)\s+{VALUE}",
        origin=rf"ich\s+(?:komme|bin)\s+aus\s+{VALUE}",
        allergic=(
            rf"ich\s+bin\s+(?:stark\s+)?allergisch\s+(?:gegen|auf)\s+{VALUE}",
            r"ich\s+(?P<w0>)allergisch\s+gegen\s+(?P<v>\S+)\s+bin$",
        ),
        avoids=r"ich\s+(?:esse|trinke)\s+kein(?:e|en)?\s+(?P<v>\S+)$",
        hates=rf"ich\s+(?:hasse|mag\s+kein(?:e|en)?)\s+{VALUE}",
        likes=rf"ich\s+(?:liebe|mag)\s+(?!dich|es|das\b|nicht|kein){VALUE}",
    ),
    language(
        "it",
        """mi mio mia mie miei vivo abito lavoro sono ricorda ricordati dimentica dimenticare
        dimenticarti cancella elimina tieni segnati annota chiamami chiama puoi si è io ho vengo
        odio adoro non""",
        remember=r"(?:ricorda(?:ti)?(?:\s+di)?|non\s+dimenticare|non\s+dimenticarti|tieni\s+a\s+mente|segnati|annota)\s*(?:che\s+|:\s*)(?P<w>\S.*)",
        forget=r"(?:dimentica(?:ti)?|cancella|elimina)\s+(?:tutto\s+su\s+|di\s+)?(?:il\s+|la\s+|i\s+|le\s+|l')?(?P<w>(?:mi[oae]|miei)\s+\S.*|che\s+(?:io|mi|vivo|il\s+mio|la\s+mia|sono|ho)\b.*)",
        renamed=rf"(?:il\s+|la\s+)?mi[oa]\s+{THING}\s+si\s+chiama\s+{VALUE_NOT}(?:e\s+)?non\s+{WRONG}",
        corrected=rf"(?:si\s+chiama|è)\s+{VALUE_NOT}(?:e\s+)?non\s+{WRONG}",
        denied=rf"si\s+chiama\s+{VALUE}",
        name=rf"(?:io\s+)?(?:mi\s+chiamo|il\s+mio\s+nome\s+è)\s+{VALUE}",
        nickname=rf"(?:puoi\s+)?chiama(?:mi|rmi)\s+{VALUE}",
        thing=(
            rf"(?:il\s+|la\s+)?mi[oa]\s+{THING}\s+si\s+chiama\s+{VALUE}",
            rf"il\s+nome\s+del(?:la)?\s+mi[oa]\s+{THING}\s+è\s+{VALUE}",
            rf"ho\s+(?:un|una|uno)\s+{THING}\s+(?:che\s+si\s+chiama|di\s+nome|chiamat[oa])\s+{VALUE}",
        ),
        favorite=rf"(?:il\s+|la\s+)?mi[oa]\s+{THING}\s+(?:preferit[oa]|favorit[oa])\s+è\s+(?:il\s+|la\s+|l'|lo\s+)?{VALUE}",
        birthday=rf"(?:il\s+)?mio\s+compleanno\s+è\s+(?:il\s+|l')?{VALUE}",
        moved=rf"mi\s+sono\s+trasferit[oa]\s+(?:a|in)\s+{VALUE}",
        lives=rf"(?:io\s+)?(?:vivo|abito)\s+(?:a|in|ad)\s+{VALUE}",
        works=rf"lavoro\s+(?:per|da|alla|presso|in)\s+{VALUE}",
        avoids=rf"(?:io\s+)?non\s+(?:mangio|bevo)\s+{VALUE}",
        origin=rf"(?:sono\s+di|vengo\s+da(?:lla?)?)\s+{VALUE}",
        allergic=rf"sono\s+allergic[oa]\s+(?:a|al|alla|alle|ai|agli|all')\s*{VALUE}",
        hates=rf"(?:odio|non\s+mi\s+piac(?:e|ciono))\s+{VALUE}",
        likes=rf"(?:adoro|mi\s+piac(?:e|ciono))\s+(?!se\b|quando\b|che\b|tu\b){VALUE}",
    ),
    language(
        "tr",
        """adım ismim benim bana adı ismi unut unutma hatırla aklında alerjim taşındım en doğum
        şunu ben yaşıyorum oturuyorum çalışıyorum""",
        remember=(
            r"(?:şunu\s+)?(?:lütfen\s+)?(?:unutma|hatırla|aklında\s+tut|not\s+al"
            r"|aklında\s+olsun)\s*[:,]\s*(?P<w>\S.*)",
            r"(?P<w>\S.*(?:dığımı|diğimi|duğumu|düğümü|tığımı|tiğimi|tuğumu|olduğunu"
            r"|olduğumu))\s+(?:unutma|hatırla|aklında\s+tut)$",
        ),
        forget=r"(?P<w>\S+(?:\s\S+){0,3}?(?:ımı|imi|umu|ümü|ğimi|ğımı|ğumu))\s+unut$",
        renamed=r"(?P<x>\S+?)[ıiuü]?m[ıiuü]n\s+(?:adı|ismi)\s+(?P<v>\S.{0,30}?)\s*,?\s+(?P<r>\S.{0,30}?)\s+değil$",
        name=rf"(?:benim\s+)?(?:adım|ismim)\s+{VALUE}",
        nickname=r"bana\s+(?P<v>\S+)\s+(?:de|diyebilirsin|deyin)$",
        thing=rf"(?:benim\s+)?(?P<x>\S+?)[ıiuü]?m[ıiuü]n\s+(?:adı|ismi)\s+{VALUE}",
        favorite=rf"en\s+sevdiğim\s+(?P<x>\S+)\s+{VALUE}",
        birthday=rf"doğum\s+günüm\s+{VALUE}",
        moved=r"(?P<v>[^\s']+)'?(?:a|e|ya|ye)\s+taşındım$",
        lives=r"(?:ben\s+)?(?P<v>[^\s']+)'?(?:da|de|ta|te)\s+(?:yaşıyorum|oturuyorum)$",
        works=r"(?:ben\s+)?(?P<v>[^\s']+)'?(?:da|de|ta|te)\s+çalışıyorum$",
        allergic=r"(?P<v>\S+?)(?:a|e|ya|ye)\s+alerjim\s+var$",
    ),
)
