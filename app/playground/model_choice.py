"""What a person picks under "Connect a model", and what came of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ModelChoice:
    """`base_url`, `key` and `model` may be empty. The key never appears in a repr."""

    provider: str
    base_url: str
    key: str = field(repr=False)
    model: str = ""


@dataclass(frozen=True)
class ModelVerdict:
    """Whether it works, in words for the person."""

    ok: bool
    message: str


ConnectModel = Callable[[ModelChoice], Awaitable[ModelVerdict]]
ModelStatus = Callable[[], str]
