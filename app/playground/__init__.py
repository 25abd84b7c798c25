"""Room: a local Telegram: a Bot API server on loopback and a chat page in front of it.

Lives here: the world (people, chats, messages, update queues, ledger), the Bot API over HTTP with
Telegram's own refusals, faults on demand, the page, and the supervisor of the bot's process.
May import: the leaves. Touches: one loopback socket, one child process, an optional ledger file.
Never imports python-telegram-bot, motor or openai: the bot is on the other side of HTTP.
Tested by: tests/unit/playground (rules), tests/integration/test_playground_*.py (a real
python-telegram-bot against it), tests/browser (the page in chromium).
"""

from app.playground.accounts import BotAccount
from app.playground.bot_process import BotProcess
from app.playground.chats import Chat
from app.playground.faults import Fault, Faults
from app.playground.ledger import Entry, Ledger
from app.playground.memory_watch import MemoryLook
from app.playground.messages import Message
from app.playground.model_choice import ModelChoice, ModelVerdict
from app.playground.person import Person
from app.playground.server import Playground
from app.playground.world import World

__all__ = [
    "BotAccount",
    "BotProcess",
    "Chat",
    "Entry",
    "Fault",
    "Faults",
    "Ledger",
    "MemoryLook",
    "Message",
    "ModelChoice",
    "ModelVerdict",
    "Person",
    "Playground",
    "World",
]
