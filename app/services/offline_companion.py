"""What answers while no language model is connected: honest, instant, always the same."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from app.domain.reply import PromptMessage, ReplyBundle
from app.domain.turn_notes import TurnNotes
from app.errors import ModelError, ModelFailure
from app.memory.rule_answer import answer
from app.prompts.reply_schema import JsonSchema
from app.prompts.system_prompt import CONTEXT_CLOSE, CONTEXT_OPEN

CONTEXT_TOKENS = 16_000

HOW_TO_CONNECT = (
    "To connect a model, do one of these:\n"
    "- press **Connect a model** in the playground page\n"
    "- run `thinkmate setup` in a terminal\n"
    "- put `OPENAI_API_KEY` (or `OPENAI_BASE_URL` for your own server) into the `.env` file"
)
WHAT_I_AM = (
    "I'm ThinkMate's offline stand-in: no language model is connected. I remember plain facts, "
    'like "my dog is called Rex", and can tell you them again, but give no real answers.'
)
WHAT_STAYS = (
    "What you write is kept all the same, and a model you connect later reads on from here."
)
WHAT_I_CAN = (
    "Without a model I can show you how the bot behaves: replies, reactions, commands such as "
    "/help, /profile for what I remember, and that nothing is lost when I'm restarted."
)


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_GREETING = _word_set(
    "hi hello hey hiya howdy greetings hola buenas bonjour salut hallo moin servus ciao olá ola oi "
    "hej hei cześć ahoj merhaba selam привет здравствуйте здравствуй привіт γεια שלום سلام مرحبا "
    "नमस्ते 你好 您好 嗨 こんにちは 안녕 안녕하세요 xin namaste"
)
_THANKS = _word_set(
    "thanks thank thx ty cheers gracias merci danke grazie obrigado obrigada tack takk dzięki "
    "teşekkürler спасибо дякую ευχαριστώ תודה شكرا धन्यवाद 谢谢 謝謝 ありがとう 감사합니다"
)
_HELP = _word_set(
    "help hilfe ayuda aide aiuto ajuda pomoc yardım помощь who what setup connect model key "
    "openai ollama api start offline bot"
)
_BYE = _word_set("bye goodbye cya later adiós adios tschüss ciao пока 再见 goodnight gn au revoir")

_PUNCTUATION = "/.,;:!?…。！？、¡¿()\"'*_"

_HELLOS = (
    "Hello! Nice to see you here.",
    "Hi there! Good that you wrote.",
    "Hey! Your message arrived safely.",
)
_WELCOMES = (
    "You're welcome! I only passed the time, a real model would do better.",
    "Gladly! Though there's no model behind me yet, so it wasn't much.",
    "Any time! Connect a model and I'll deserve it.",
)
_GOODBYES = (
    "Bye for now! Your messages wait here.",
    "See you! Nothing you wrote gets lost.",
    "Take care! I'll be here, still without a model.",
)
_QUESTIONS = (
    "That looks like a question, and I'd only be guessing: there is no language model behind me.",
    "I can see that you ask something, but answering takes a language model: none is connected.",
    "A good question deserves a real answer, and without a language model I have none.",
)
_STATEMENTS = (
    "Your message arrived. I can't understand it, though: no language model is connected.",
    "Got it, word for word. What it means is beyond me until a language model is connected.",
    "I've kept that. For a reply worth reading, a language model has to be connected.",
    "That reached me safely. I'm only the offline stand-in, so I have nothing sensible to say.",
)
_REMINDERS = (
    'Write "help" to see how to connect a model.',
    'How to connect a model? Write "help".',
    'Write "help": I\'ll tell you how a model is connected.',
)


class OfflineCompanion:
    """A ChatModel without a model: it says what it is, and how to connect a real one."""

    def __init__(self) -> None:
        self.name = "offline-companion"

    async def start(self) -> None:
        """Nothing to find out."""

    async def aclose(self) -> None:
        """Nothing to close."""

    def context_tokens(self) -> int:
        """As much as a usual model, so that prompts look alike."""
        return CONTEXT_TOKENS

    async def complete(
        self, call: str, prompt: Sequence[PromptMessage], schema: JsonSchema | None = None
    ) -> str:
        """Always a ModelError: there is no model to ask."""
        raise ModelError(ModelFailure.NO_MODEL)

    async def generate_reply_bundle(
        self, prompt: Sequence[PromptMessage], notes: TurnNotes | None = None
    ) -> ReplyBundle:
        """The same reply for the same conversation; from memory where memory has one."""
        known = answer(notes) if notes else None
        if known is not None:
            return ReplyBundle(reply=known.text, reaction=known.reaction)
        said = [message for message in prompt if message.role == "user"]
        text = _own_words(said[-1].content) if said else ""
        turn = sum(message.role == "assistant" for message in prompt)
        return _reply(text, turn)


def _own_words(content: str) -> str:
    """The person's text without the context that stands before it in a prompt."""
    if content.startswith(CONTEXT_OPEN):
        return content.partition(CONTEXT_CLOSE)[2].strip()
    return content.strip()


def _reply(text: str, turn: int) -> ReplyBundle:
    words = [word.strip(_PUNCTUATION) for word in text.casefold().split()]
    short = len(words) <= 6
    pick = _Picker(text, turn)
    if short and _THANKS.intersection(words):
        return ReplyBundle(reply=pick(_WELCOMES), reaction="❤")
    if turn == 0 or (short and _HELP.intersection(words)):
        opening = f"{pick(_HELLOS)} " if turn == 0 or _GREETING.intersection(words) else ""
        return ReplyBundle(reply=_introduction(opening), reaction=None)
    if short and _GREETING.intersection(words):
        return ReplyBundle(
            reply=f"{pick(_HELLOS)} I'm still the offline stand-in. {pick(_REMINDERS)}",
            reaction="🤗",
        )
    if short and _BYE.intersection(words):
        return ReplyBundle(reply=pick(_GOODBYES), reaction=None)
    lines = _QUESTIONS if text.rstrip().endswith(("?", "？", "؟")) else _STATEMENTS
    return ReplyBundle(reply=f"{pick(lines)} {pick(_REMINDERS)}", reaction=None)


def _introduction(opening: str) -> str:
    return f"{opening}{WHAT_I_AM}\n\n{HOW_TO_CONNECT}\n\n{WHAT_I_CAN} {WHAT_STAYS}"


class _Picker:
    """Chooses among lines by the text and the turn: varied, and the same on every run."""

    def __init__(self, text: str, turn: int) -> None:
        self._number = zlib.crc32(text.encode("utf-8", "replace")) + turn

    def __call__(self, lines: Sequence[str]) -> str:
        return lines[self._number % len(lines)]
