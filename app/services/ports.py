"""The seams: what the services need from the outside, in their own words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from app.domain.conversation import OutboxRow
from app.domain.reply import PromptMessage, ReplyBundle
from app.domain.turn_notes import TurnNotes
from app.prompts.reply_schema import JsonSchema


class Channel(Protocol):
    """A way to a person. Every method raises a SendError when Telegram doesn't confirm."""

    async def send_part(self, row: OutboxRow, index: int) -> int:
        """Send part `index` of a text row; returns Telegram's message id."""
        ...

    async def react(self, row: OutboxRow) -> None:
        """Set the row's reaction on the message it answers (`reply_to`)."""
        ...

    async def typing(self, chat_id: int, thread_id: int | None) -> None:
        """Show "typing…" for about five seconds."""
        ...

    async def answer_button(self, button_id: str, text: str = "") -> None:
        """Stop the spinner of a pressed button."""
        ...


class ChatModel(Protocol):
    """A language model, or what stands in for one."""

    name: str

    def context_tokens(self) -> int:
        """How many tokens a prompt and its answer may have together."""
        ...

    async def generate_reply_bundle(
        self, prompt: Sequence[PromptMessage], notes: TurnNotes | None = None
    ) -> ReplyBundle:
        """One call for reply and reaction. Raises ModelError when there is no usable answer.

        A model goes by the prompt alone; `notes` are for what stands in for one.
        """
        ...


class MemoryModel(Protocol):
    """What memory work asks in the background."""

    @property
    def is_offline(self) -> bool:
        """Whether no language model is connected."""
        ...

    async def complete(
        self, call: str, prompt: Sequence[PromptMessage], schema: JsonSchema | None = None
    ) -> str:
        """The model's text, never blank. Raises ModelError when there is none."""
        ...
