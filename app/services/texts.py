"""Every word the bot says of its own accord, in one place."""

from __future__ import annotations

from app.errors import ModelFailure

START = (
    "Hi! I'm ThinkMate, an AI companion. Write to me like you would to a friend.\n"
    "I keep our conversation, so I still know tomorrow what we talked about today.\n"
    "/help shows what I can do."
)
HELP = (
    "Just write. Several short messages in a row get one answer.\n"
    "In a group I answer when you mention me or reply to me.\n\n"
    "/start - who I am\n"
    "/profile - what I remember about you\n"
    "/help - this page\n\n"
    "I read text and captions; pictures, voice and files not yet."
)
UNKNOWN_COMMAND = "I don't know that command. /help shows the ones I do."
TEXT_ONLY = "I can only read text for now. Tell me in words and I'm all ears."
STRANGER = "Hello! This is a private companion, so I can't chat with you here. Sorry."
CLAIMED = "You're my owner now. Nobody else can talk to me unless you allow it. So: hi!"
CLAIM_FAILED = "That link has been used or is out of date. The terminal shows the current one."
FLOOD = "That was a lot at once, so I've read it all together."
GAVE_UP = (
    "Sorry, something went wrong on my side with one of your messages and I couldn't answer it. "
    "Please try writing it another way."
)

MEMORY_NOT_CHANGED = "I couldn't change my notes just now. Tell me again in a moment?"

UNDO_TOO_LATE = "That can't be taken back any more: it has changed since."
PROFILE_IN_PRIVATE = "That's between the two of us: write /profile to me directly."
GENDER_UNKNOWN = "I don't know that button any more. /profile shows the current ones."

COMMANDS = (
    ("start", "Who I am"),
    ("profile", "What I remember about you"),
    ("help", "What I can do"),
)

_MODEL_DOWN = (
    "Sorry, my language model isn't answering right now. "
    "Your message is safe with me; write again in a little while and I'll pick it up from there."
)
_MODEL_MISSET = (
    "Sorry, I can't reply: my language model isn't set up right. Your message is safe with me. "
    "Whoever runs me can find out why with: thinkmate doctor"
)
_SETUP_FAILURES = frozenset({ModelFailure.AUTH, ModelFailure.NO_CREDIT, ModelFailure.UNKNOWN_MODEL})


_ADDRESSED = {"female": "as a woman", "male": "as a man", "non-binary": "as non-binary"}


def undone(before: str | None) -> str:
    """What a person reads when a change was taken back; `before` is what stands again."""
    return f'Taken back. I have "{before}" again.' if before else "Taken back."


def gender_set(value: str) -> str:
    """What a person reads when they said by a tap how they are to be addressed."""
    return f"From now on I address you {_ADDRESSED[value]}." if value else "I won't assume any."


def model_failed(kind: ModelFailure) -> str:
    """The one honest line a person gets when no model gave an answer."""
    return _MODEL_MISSET if kind in _SETUP_FAILURES else _MODEL_DOWN
