"""A sample of the crash run that covers every kind of operation, and its negative control."""

from __future__ import annotations

from pathlib import Path

from tests.crash.points import read_points
from tests.crash.run import compare, parse
from tests.crash.verdict import Verdict

EVERY_KIND = {
    "getUpdates",
    "insert:inbox",
    "begin:chat_buffers",
    "findAndModify:user_profiles",
    "commit:chat_buffers",
    "setMessageReaction",
    "sendMessage",
    "settle:chat_buffers",
    "update:inbox",
    "edit:chat_buffers",
    "insert:segments",
    "trim:chat_buffers",
    "update:user_profiles",
    "insert:jobs",
    "running:jobs",
    "done:jobs",
    "paid:jobs",
    "extracted:jobs",
    "update:archive",
    "update:lineage",
    "update:subject_locks",
    "delete:subject_locks",
}


async def run(folder: Path, *arguments: str) -> Verdict:
    return await compare(parse(list(arguments)), folder)


async def test_nothing_is_lost_wherever_the_bot_dies(tmp_path: Path) -> None:
    verdict = await run(tmp_path, "--messages", "8")
    points = read_points(tmp_path / "killed" / "hits")
    assert verdict.problems() == []
    assert verdict.points_hit == verdict.points_total
    assert verdict.kills == verdict.points_hit
    assert verdict.records >= 5
    assert verdict.archived >= 1
    assert verdict.database_kills >= verdict.kills // 3 - 1
    for side in ("before", "after"):
        assert {p.op for p in points if p.side == side} >= EVERY_KIND


async def test_the_check_can_fail_a_stock_handler_loses_messages(tmp_path: Path) -> None:
    verdict = await run(tmp_path, "--messages", "4", "--subject", "bare")
    assert verdict.kills > 0
    assert verdict.lost > 0
    assert verdict.problems()
