"""The emoji with which people and bots may react."""

from __future__ import annotations

from app.domain.reactions import REACTIONS

ALLOWED_REACTIONS = REACTIONS
