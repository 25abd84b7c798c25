"""What is said without stating anything: questions, requests and small talk, in many languages."""

from __future__ import annotations

import re

from app.memory.rule_extractor.vocabulary import word_set

_QUESTION_STARTS = r"""
  (?:what|who|where|when|why|how|which|whose)(?:'s|'re|\s+(?:is|are|was|were|do|does|did|can|could
    |will|would|should|have|has|had|many|much|old|long|far|about|to|time|kind|am|if))
  |(?:is|are|do|does|did|can|could|will|would|should|have|has|am|was|were|isn't|don't|aren't)\s+
    (?:you|i|it|he|she|they|we|there|this|that|the|my|your)
  |qué|cuál(?:es)?|cuándo|dónde|cómo|quién(?:es)?|cuánt[oa]s?|por\s+qué
  |qu'est-ce|est-ce|quels?|quelles?|pourquoi|comment|où|combien|(?:as|es|peux|veux|sais|connais)-tu
  |tu\s+(?:sais|connais|peux|veux)
  |was\s+(?:ist|machst|hast|sind|kann|soll|für|weißt|denkst|meinst|gibt)|wer|wo|wie|wann|warum
  |wieso|welche[rsnm]?|woher|wohin|(?:kannst|weißt|hast|bist|magst|willst)\s+du|gibt\s+es
  |o\s+que|qual|quais|onde|quem|por\s+que|como\s+(?:está|vai|é|você|se)|você\s+(?:sabe|pode|tem)
  |che\s+cosa|cosa|quale?|dove|chi|come\s+(?:stai|va|si|è)
  |wat\s+(?:is|doe|vind|zijn)|wie|waar|hoe|wanneer|waarom|welke?|(?:kun|kan|heb|ben|weet)\s+je
  |vad|vem|varför|hur|vart|(?:kan|har|är|vet)\s+du|hvad|hvem|hvorfor|hvordan|hva|hvor
  |mikä|mitä|kuka|missä|milloin|miksi|miten|kuinka|\w+k[oö]\s+sinä
  |что|кто|где|почему|зачем|како[йе]|какая|какие|сколько|можешь|как\s+(?:дела|ты|тебя|вы|это|мне)
  |когда\s+(?:ты|вы)|ты\s+(?:знаешь|можешь|помнишь)
  |що|хто|де|чому|який|яка|яке|скільки|чи|як\s+(?:справи|ти|тебе|це)
  |co|kto|gdzie|kiedy|dlaczego|czy|ile|jaki|jaka|jakie|jak\s+(?:się|masz|to)|kdo|kde|kdy|proč|kolik
  |ne\s+(?:zaman|kadar|yap)|kim|nerede|nasıl|neden|niçin|hangi|kaç
  |apa|apakah|siapa|di\s?mana|kapan|kenapa|mengapa|bagaimana|berapa
  |τι|ποι(?:ος|α|ο)|πού|πότε|πώς|γιατί|πόσο
  |هل|ما|ماذا|أين|كيف|متى|لماذا|كم|من\s+(?:هو|هي|أنت)|آیا|چه|کجا|چرا|چطور|چند
  |מה|מי|איפה|איך|מתי|למה|האם|כמה
  |mi\s+a|mi\s+az|ki|hol|mikor|miért|hogyan|hány|ce|cine|unde|când|cum|de\s+ce
"""
_QUESTION_ENDS = r"""
  (?<!\w)(?:mı|mi|mu|mü)(?:s[ıiuü]n(?:[ıiuü]z)?|y[ıiuü][mz])?
  |(?<!\w)(?:không|chưa|gì|đâu|nào|sao|hả|ไหม)|ไหม|หรือเปล่า|มั้ย|吗|嗎|呢|么
  |(?:です|ます|でしょう|ました|でした|ません)か|かな|까요?|나요|가요|니|냐
"""
_QUESTION_INSIDE = r"""
  什么|什麼|怎么|怎麼|谁|誰|哪[里儿个裡]|几点|为什么|是不是|能不能|多少|なぜ|どうして|どこ|だれ|何(?:です|が|を|時)
  |뭐|누구|어디|언제|왜|어떻게|무엇|อะไร|ที่ไหน|ทำไม|อย่างไร|ใคร
  |tại\s+sao|bao\s+(?:giờ|nhiêu)|như\s+thế\s+nào
  |(?<!\S)(?:क्या|कौन|कहाँ|कैसे|कैसी|क्यों|কি|কী|কোথায়|কেন|என்ன|எங்கே|ఏమి)(?!\S)
"""
QUESTION = re.compile(
    rf"^(?:{_QUESTION_STARTS})(?!\w)|(?:{_QUESTION_ENDS})\W*$|{_QUESTION_INSIDE}",
    re.IGNORECASE | re.VERBOSE,
)
"""A question without a mark, found in one sentence."""

_REQUEST_STARTS = r"""
  (?:please\s+|pls\s+|por\s+favor,?\s+|bitte\s+|пожалуйста,?\s+)?(?:
  tell|show|give|write|sing|explain|translate|summari[sz]e|recommend|suggest|help|list|search|find
  |send|draw|make|read|play|let's|imagine|stop|wait|say|repeat|check|calculate|convert|guess
  |dime|cuéntame|cuentame|escribe|escríbeme|explica\w*|traduce|muéstrame|ayúdame|recomiéndame|dame
  |dis-moi|raconte\w*|écris\w*|explique\w*|traduis\w*|montre\w*|donne-moi|aide-moi
  |sag\w?|erzähl\w*|schreib\w?|erklär\w?|übersetz\w?|zeig\w?|gib|hilf
  |(?:me\s+)?(?:diga|conte|conta|escreva|escreve|explique|traduza|mostre|ajude)
  |dimmi|raccontami|scrivi\w*|spiega\w*|traduci|mostrami|aiutami|dammi
  |vertel|schrijf|vertaal|toon|geef|berätta|skriv|förklara|översätt|visa|hjälp|kerro|kirjoita
  |расскажи\w*|скажи\w*|напиши\w*|объясни\w*|переведи\w*|покажи\w*|дай|помоги\w*|посоветуй\w*
  |розкажи\w*|напиши\w*|поясни\w*|переклади\w*|допоможи\w*
  |powiedz|opowiedz|napisz|wyjaśnij|przetłumacz|pokaż|daj|pomóż|řekni|napiš|vysvětli
  |tolong|ceritakan|tulis\w*|jelaskan|terjemahkan|tunjukkan|hãy|kể|giải\s+thích|dịch|cho\s+tôi
  |πες|γράψε|εξήγησε|δείξε
  |أخبرني|اخبرني|قل|اكتب|اشرح|ترجم|أرني|ساعدني|بگو|بنویس|ספר|כתוב|תסביר|תגיד)
  (?!\w)
"""
_REQUEST_SPACELESS = r"^(?:请|請|帮我|幫我|给我|告诉我|告訴我|讲|写|寫|翻译|解释|推荐)"
_REQUEST_ENDS = r"""
  (?:anlat|söyle|yaz|açıkla|çevir|göster|ver)(?:[ıiuü]?r\s+m[ıi]s[ıi]n)?
  |ください|下さい|教えて|聞かせて|書いて|見せて|줘|주세요|해봐
  |(?:बताओ|बताइए|लिखो|सुनाओ|समझाओ|दिखाओ|दीजिए|দাও|বলো)
"""
REQUEST = re.compile(
    rf"^(?:{_REQUEST_STARTS})|{_REQUEST_SPACELESS}|(?:{_REQUEST_ENDS})\W*$",
    re.IGNORECASE | re.VERBOSE,
)
"""A sentence that asks the bot to do something."""

SMALL_TALK = word_set(
    """
    hi hey hello heya hiya yo howdy good morning evening afternoon night day there mate everyone
    thanks thank you thx ty so very much a lot again please ok okay k kk cool nice great fine sure
    right yes yeah yep no nope nah lol haha hahaha hehe wow oh ah hm hmm um uh bye goodbye see later
    welcome sorry well done got it makes sense awesome perfect exactly true agreed indeed
    hola buenos buenas días dias tardes noches gracias muchas vale sí si adiós adios claro genial
    olá ola oi bom boa dia tarde noite obrigado obrigada muito sim não tchau valeu
    bonjour salut coucou bonsoir merci beaucoup oui non d'accord au revoir bonne nuit soirée super
    hallo moin servus guten morgen tag abend gute nacht danke schön vielen dank ja nein tschüss
    genau alles klar ciao buongiorno buonasera buonanotte grazie mille sì va bene arrivederci
    hoi goedemorgen goedenavond dank je wel doei hej hejsan tack tak god morgon kväll kveld hei
    moi kiitos hyvää huomenta iltaa cześć czesc dzień dobry dobranoc dziękuję dzięki tak nie ahoj
    dobrý den díky děkuji szia köszönöm jó reggelt napot bună salut mulțumesc
    привет здравствуй здравствуйте добрый доброе день утро вечер спокойной ночи спасибо большое да
    нет ок хорошо ладно пока ага угу понятно ясно привіт дякую дуже добрий день так ні добре здрасте
    merhaba selam günaydın iyi geceler akşamlar günler teşekkürler teşekkür ederim sağ ol tamam
    evet hayır γεια καλημέρα καλησπέρα καληνύχτα ευχαριστώ ναι όχι σου σας
    مرحبا مرحباً أهلا اهلا السلام عليكم صباح الخير مساء النور شكرا شكراً جزيلا نعم لا حسنا سلام ممنون
    שלום תודה רבה בוקר טוב לילה ערב כן לא
    नमस्ते नमस्कार धन्यवाद शुक्रिया हाँ नहीं ठीक है सुप्रभात হ্যালো ধন্যবাদ হ্যাঁ না வணக்கம் நன்றி
    안녕 안녕하세요 감사합니다 고마워 고마워요 네 예 아니요 응 좋아요 반가워요
    halo hai selamat pagi siang malam sore terima kasih iya ya tidak xin chào cảm ơn bạn vâng dạ
    habari asante sana jambo ndiyo hapana kumusta salamat po opo
    """
)
"""Words of greetings, thanks and assent; a sentence of nothing else is small talk."""
SMALL_TALK_SPACELESS = re.compile(
    r"(?:你好|您好|嗨|早上?好?|晚安|晚上好|谢谢|謝謝|多谢|好的?|嗯|是的?|不是|再见|哈+|こんにちは|こんばんは"
    r"|おはよう(?:ございます)?|ありがとう(?:ございます)?|はい|いいえ|うん|おやすみ(?:なさい)?|さようなら"
    r"|はじめまして|สวัสดี|ขอบคุณ|ครับ|ค่ะ|คะ|ใช่|了|呀|啊|你|您|大家|ね)+"
)
"""The same in scripts without spaces, for a whole sentence."""
