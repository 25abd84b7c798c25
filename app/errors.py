"""The error tree.

ThinkMateError
├── ConfigError            a setting is missing or wrong; the text names the key and the mend
├── StoreError
│   ├── StoreUnavailable   the database can't be reached now; try again later
│   ├── LeaseHeld          another worker has the conversation; try again later
│   ├── LeaseLost          another worker owns the conversation; drop what you were doing
│   ├── MemoryChanged      somebody else changed this memory again and again; try again later
│   ├── MemoryReset        the memory was reset meanwhile; drop what you were doing
│   ├── UnreadableProfile  a stored profile makes no sense; nothing of it is used or overwritten
│   └── DataDirBusy        another ThinkMate already uses this DATA_DIR
├── SendError              Telegram did not take what we sent
│   ├── RetryLater         429: wait `seconds`, this chat only
│   ├── ChatBlocked        403: the person blocked the bot or removed it
│   ├── ChatMoved          the group became a supergroup with `new_chat_id`
│   ├── SendRejected       a permanent 400: sending the same again can't help
│   ├── SendAmbiguous      no answer came: it may or may not have been delivered
│   └── SendUnavailable    5xx or no connection: certainly or probably not delivered
├── JobFailed              a job did not get done; `kind` says why
└── ModelError             the language model gave no usable answer; `kind` says why
"""

from __future__ import annotations

from enum import StrEnum


class ThinkMateError(Exception):
    """Everything this program raises on purpose."""


class ConfigError(ThinkMateError):
    """A setting is missing or wrong; the message names the key and says what to do."""


class StoreError(ThinkMateError):
    """The database refused or failed."""


class StoreUnavailable(StoreError):
    """The database can't be reached now; the same call may succeed later."""


class LeaseHeld(StoreError):
    """Another worker has the conversation; try again when its lease ends."""


class LeaseLost(StoreError):
    """Another worker took the conversation over; nothing of ours may be written."""


class MemoryChanged(StoreError):
    """Other writers were faster, too often in a row; nothing was written."""


class MemoryReset(StoreError):
    """The person's memory was reset since it was read; nothing may be written."""


class UnreadableProfile(StoreError):
    """A stored profile can't be read; the count of problems, never their content."""

    def __init__(self, problems: int) -> None:
        super().__init__(f"{problems} fields of a profile can't be read")


class DataDirBusy(StoreError):
    """Another ThinkMate already runs on this DATA_DIR."""


class SendError(ThinkMateError):
    """Telegram did not confirm what was sent."""


class RetryLater(SendError):
    """Telegram asks for a pause of `seconds` in this chat."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"retry after {seconds:g} s")
        self.seconds = seconds


class ChatBlocked(SendError):
    """The chat can't be written to until the person lets the bot back in."""


class ChatMoved(SendError):
    """The chat lives on under `new_chat_id`."""

    def __init__(self, new_chat_id: int) -> None:
        super().__init__("the chat moved")
        self.new_chat_id = new_chat_id


class SendRejected(SendError):
    """Telegram refused for good; `reason` is its own description."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class SendAmbiguous(SendError):
    """No answer arrived; the message may have been delivered."""


class SendUnavailable(SendError):
    """Telegram could not be reached or failed; the message was not delivered."""


class JobFailed(ThinkMateError):
    """A job could not be done this time.

    `kind` is one word for logs and rows; `raw` a model's answer with its content masked.
    """

    def __init__(self, kind: str, *, raw: str | None = None) -> None:
        super().__init__(kind)
        self.kind = kind
        self.raw = raw


class ModelFailure(StrEnum):
    """Why a model call gave no answer; the words used in logs, metrics and usage rows."""

    TIMEOUT = "timeout"
    CONNECTION = "connection"
    RATE_LIMIT = "rate_limit"
    SERVER = "server"
    AUTH = "auth"
    NO_CREDIT = "no_credit"
    UNKNOWN_MODEL = "unknown_model"
    BAD_REQUEST = "bad_request"
    EMPTY = "empty"
    NO_MODEL = "no_model"
    BREAKER_OPEN = "breaker_open"


class ModelError(ThinkMateError):
    """The language model gave no usable answer."""

    def __init__(self, kind: ModelFailure, detail: str = "") -> None:
        super().__init__(f"{kind.value}: {detail}" if detail else kind.value)
        self.kind = kind
