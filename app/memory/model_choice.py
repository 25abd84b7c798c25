"""Which of a server's models to use when nobody named one.

The rule: models that can't chat (embeddings, speech, images) are left out. Models for conversation
come before models for something special (vision, code, bare base models). Among these the
largest of at most 14 billion parameters by its name comes first, then those whose name gives no
size, then the smallest of the larger ones; then the alphabet decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

LARGEST_BILLIONS = 15.0  # below this: what vendors call a 14B often has 14.7

_CANT_CHAT = re.compile(
    r"embed|rerank|bge|minilm|gte-|nomic|\be5\b|whisper|\btts\b|speech|dall-e|image|stable-diffusion"
    r"|flux|moderation|guard|clip|sora|realtime|transcribe|audio|draft|mmproj",
    re.IGNORECASE,
)
_SPECIALISED = re.compile(
    r"vision|llava|moondream|bakllava|\bvl\b|[-:_.\d]vl|code|coder|codex|starcoder|\bbase\b|sqlcoder|math"
    r"|\bocr\b|translate|-pt\b",
    re.IGNORECASE,
)
_SIZE = re.compile(r"(?<![a-z0-9.])(?:(\d+)x)?[ea]?(\d+(?:\.\d+)?)(b|m)(?![a-z0-9])", re.IGNORECASE)


def pick_model(models: Iterable[str]) -> str | None:
    """The model to use, by the rule above; None when no model can chat."""
    return min((name for name in models if not _CANT_CHAT.search(name)), key=_rank, default=None)


def size_in_billions(model: str) -> float | None:
    """The number of parameters a model's name gives, in billions (of several, the largest)."""
    sizes = [
        int(count or 1) * float(number) / (1000.0 if unit.lower() == "m" else 1.0)
        for count, number, unit in _SIZE.findall(model)
    ]
    return max(sizes, default=None)


def _rank(model: str) -> tuple[int, int, float, str, str]:
    kind = 1 if _SPECIALISED.search(model) else 0
    size = size_in_billions(model)
    if size is None:
        return kind, 1, 0.0, model.casefold(), model
    if size < LARGEST_BILLIONS:
        return kind, 0, -size, model.casefold(), model
    return kind, 2, size, model.casefold(), model
