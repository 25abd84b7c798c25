"""The ledger and its file."""

from __future__ import annotations

import json
from pathlib import Path

from app.playground.ledger import Ledger


def test_entries_are_numbered_without_gaps_and_written_down(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    ledger = Ledger(lambda: 12.5, path)
    ledger.append("bot_message", chat_id=1, text="hi")
    ledger.append("bot_message", chat_id=2, acknowledged=False)
    ledger.close()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(line["seq"], line["at"], line["acknowledged"]) for line in lines] == [
        (1, 12.5, True),
        (2, 12.5, False),
    ]
    assert [entry.seq for entry in ledger.since(1)] == [2]
    assert [entry.text for entry in ledger.bot_messages(1)] == ["hi"]
