"""Reading config/review_policy.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import ValidationError

from app.errors import ConfigError
from app.memory.review_policy import ReviewPolicy

USUAL_PLACE = Path("config/review_policy.toml")


def load_review_policy(path: Path) -> ReviewPolicy:
    """The policy in a file; the built-in one where the usual place has none.

    Raises ConfigError with the key and what is wrong, also when a file that was named isn't there.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if path == USUAL_PLACE:
            return ReviewPolicy()
        raise ConfigError(f"REVIEW_POLICY_FILE: {path} does not exist") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        problem = type(error).__name__ if isinstance(error, OSError) else str(error)
        raise ConfigError(f"REVIEW_POLICY_FILE: {path} can't be read: {problem}") from None
    unknown = sorted(values.keys() - ReviewPolicy.model_fields.keys())
    if unknown:
        raise ConfigError(f"REVIEW_POLICY_FILE: {path} has an unknown key: {unknown[0]}")
    try:
        return ReviewPolicy(**values)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"REVIEW_POLICY_FILE: {path}: {key}: {first['msg']}") from None
