"""The filter before the model: what states something, in many languages and scripts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.turn_filter import may_state

STATES = {
    "en": [
        "I live in Leeds",
        "my sister bakes bread every Sunday",
        "We moved here in May. How are you?",
        "I'm allergic to nuts",
        "The launch is on March 14",
        "Must use Stripe for payments",
        "Never call before 9, please",
        "Hi! I work nights now",
        "When I was twelve my father left",
    ],
    "de": ["Ich wohne in Köln", "Meine Tochter heißt Lea, und deine?"],
    "fr": ["J'habite à Lyon", "Mon chien s'appelle Rex"],
    "nl": ["Ik woon in Utrecht", "Mijn hond heet Rex"],
    "sv": ["Jag bor i Lund", "Min syster heter Eva"],
    "es": [
        "Me llamo Ana, ¿y tú?",
        "Soy vegetariana",
        "Trabajo de noche",
        "Odio los lunes lluviosos",
    ],
    "pt": ["Moro em Recife", "Minha filha nasceu ontem"],
    "it": ["Vivo a Torino", "Il mio cane si chiama Rex", "Preferisco viaggiare in treno"],
    "pl": ["Mieszkam w Gdańsku", "Mam dwa koty"],
    "cs": ["Bydlím v Brně", "Můj pes se jmenuje Rex"],
    "hu": ["A kutyám neve Rex", "Budapesten élek"],
    "fi": ["Asun Turussa", "Koirani nimi on Musti"],
    "tr": ["Ankara'da yaşıyorum", "Benim kedim var", "Vejetaryenim"],
    "ru": ["Я живу в Омске", "У меня двое детей", "Мою собаку зовут Рекс, мне её подарили"],
    "uk": ["Я живу у Львові", "Мій кіт любить рибу"],
    "el": ["Μένω στην Πάτρα", "Ο σκύλος μου λέγεται Ρεξ"],
    "ar": ["أنا أعيش في عمان", "اسمي ليلى", "عندي كلب صغير"],
    "fa": ["من در تهران زندگی می‌کنم", "اسمم لیلا است"],
    "he": ["אני גר בחיפה", "יש לי כלב"],
    "hi": ["मैं दिल्ली में रहता हूँ", "मेरे कुत्ते का नाम शेरू है"],
    "bn": ["আমি ঢাকায় থাকি", "আমার বোনের নাম মিতা"],
    "ta": ["நான் சென்னையில் வசிக்கிறேன்"],
    "zh": ["我住在成都", "我的狗叫小白"],
    "ja": ["私は大阪に住んでいます", "犬を二匹飼っています"],
    "ko": ["저는 부산에 살아요", "우리 강아지 이름은 콩이에요"],
    "th": ["ผมอยู่เชียงใหม่", "ฉันแพ้ถั่ว"],
    "vi": ["Tôi sống ở Huế", "Em gái tôi là bác sĩ"],
    "id": ["Saya tinggal di Medan", "Nama anjing saya Bruno"],
    "sw": ["Jina langu ni Amina", "Ninaishi Mombasa"],
}
STATES_NOTHING = {
    "en": [
        "What is my dog called?",
        "what's the weather like",
        "Can you help me",
        "Good morning!",
        "Thank you so much",
        "ok cool",
        "haha yes",
        "Tell me a joke",
        "Please write a poem about my cat",
        "The weather is really nice today",
        "/profile",
        "/start abc",
    ],
    "de": ["Wie heißt mein Hund?", "Guten Morgen", "Danke schön!", "Erzähl mir einen Witz"],
    "fr": ["Comment tu t'appelles ?", "Merci beaucoup", "Raconte-moi une histoire"],
    "nl": ["Hoe heet mijn hond?", "Goedemorgen!", "Vertel een grap"],
    "sv": ["Vad heter min hund?", "Tack!", "God morgon"],
    "es": ["¿Cómo se llama mi perro?", "Buenos días", "Muchas gracias", "Cuéntame un chiste"],
    "pt": ["Qual é o meu nome?", "Bom dia!", "Obrigada"],
    "it": ["Come si chiama il mio cane?", "Grazie mille", "Raccontami una storia"],
    "pl": ["Jak ma na imię mój pies?", "Dzień dobry", "Opowiedz mi bajkę"],
    "tr": ["Köpeğimin adı ne?", "Beni hatırlıyor musun", "Günaydın", "Bana bir fıkra anlat"],
    "ru": ["Как зовут мою собаку?", "почему небо голубое", "Доброе утро", "Расскажи мне анекдот"],
    "uk": ["Як звати мого кота?", "Дякую", "чи ти мене пам'ятаєш"],
    "el": ["Πώς λέγεται ο σκύλος μου;", "Καλημέρα"],
    "ar": ["ما اسم كلبي؟", "هل تعرف اسمي", "صباح الخير", "أخبرني نكتة"],
    "fa": ["آیا اسم من را می‌دانی", "سلام"],
    "he": ["מה השם שלי?", "תודה רבה"],
    "hi": ["मेरे कुत्ते का नाम क्या है", "नमस्ते", "मुझे एक कहानी सुनाओ"],
    "zh": ["我的狗叫什么名字", "你好", "谢谢你", "给我讲个笑话"],
    "ja": ["私の犬の名前は何ですか", "こんにちは", "面白い話を聞かせて"],
    "ko": ["제 이름이 뭐예요?", "안녕하세요", "농담 하나 해줘"],
    "th": ["ผมชื่ออะไร", "สวัสดีครับ"],
    "vi": ["Tôi tên là gì", "Cảm ơn bạn"],
    "id": ["Apa nama anjing saya", "Terima kasih", "Ceritakan sebuah lelucon"],
    "none": [
        "",
        "   ",
        "👍",
        "😂😂😂",
        "https://example.org/my/page?i=1",
        "ana@example.org",
        "@somebody",
        "...",
        "42",
        "?!",
        "> my dog is called Rex",
        "```\nmy = 1\n```",
    ],
}


def table(rows: dict[str, list[str]]) -> list[object]:
    """One case a sentence, named by its language."""
    return [
        pytest.param(text, id=f"{language}-{number}")
        for language, texts in rows.items()
        for number, text in enumerate(texts)
    ]


@pytest.mark.parametrize("text", table(STATES))
def test_a_statement_is_let_through(text: str) -> None:
    assert may_state(text)


@pytest.mark.parametrize("text", table(STATES_NOTHING))
def test_what_states_nothing_is_kept_back(text: str) -> None:
    assert not may_state(text)


@given(st.text(max_size=300))
def test_no_text_is_too_odd(text: str) -> None:
    assert may_state(text) in (True, False)


@given(
    st.sampled_from([text for texts in STATES.values() for text in texts]),
    st.sampled_from(["👋 ", "Hi! ", "\n\n"]),
)
def test_what_comes_before_a_statement_doesnt_hide_it(text: str, before: str) -> None:
    assert may_state(before + text)
