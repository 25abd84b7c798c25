"""Finding the embedded database of a bot that runs now."""

from __future__ import annotations

import json
from pathlib import Path

from app.database.embedded.daemon import uri_of


def running_uri(data_dir: Path) -> str | None:
    """The URI of the daemon that DATA_DIR/db.json tells of; None when there is no such file."""
    try:
        record = json.loads((data_dir / "db.json").read_text(encoding="utf-8"))
        return uri_of(int(record["port"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
