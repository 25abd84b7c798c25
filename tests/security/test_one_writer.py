"""Memory has one writer: nothing else writes its fields, in the code and on the wire."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import app
from app.domain.profile import MEMORY_FIELDS
from tests.contract.conftest import embedded_uri
from tests.doubles.command_log import CommandLog
from tests.integration.conftest import stage
from tests.integration.stage import Stage

__all__ = ["embedded_uri", "stage"]

ROOT = Path(app.__file__).parent
MADE_AT_FIRST_CONTACT = {"generation": 0, "epoch": 0}


def test_only_memory_commit_calls_the_commit_of_profiles() -> None:
    callers = {path.name for path in ROOT.rglob("*.py") if _calls_commit(path)}
    assert callers == {"memory_commit.py"}


def test_a_call_elsewhere_would_be_found(tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text("async def f(self):\n    await self._profiles.commit(a, b, c)\n")
    assert _calls_commit(other)


async def test_on_the_wire_memory_changes_only_by_compare_and_set(stage: Stage) -> None:
    log = CommandLog()
    await stage.start(listeners=[log])
    for words in ("My dog is called Rex", "Actually, it's Max, not Rex", "forget my dog's name"):
        before = len(stage.said())
        stage.ana.send(words)
        await stage.replies(before + 1)
    await stage.turns_over()
    assert stage.bot is not None
    await stage.bot.memory_idle()
    changes = [c for c in log.commands if c.collection == "user_profiles"]
    written = [change for command in changes for change in _changes(command.body)]
    commits = [(q, u) for q, u in written if MEMORY_FIELDS & _fields(u)]
    assert len(commits) == 3
    assert all({"_id", "generation", "epoch"} <= set(q) for q, _ in commits)
    assert all("generation" in u["$set"] for _, u in commits)


def _calls_commit(path: Path) -> bool:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            named = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
            if node.func.attr == "commit" and named.lstrip("_") == "profiles":
                return True
    return False


def _changes(body: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    if "updates" in body:
        return [(change["q"], change["u"]) for change in body["updates"]]
    return [(body["query"], body["update"])] if "update" in body and "query" in body else []


def _fields(update: dict[str, Any]) -> set[str]:
    """The fields a change writes; paying off effects and making an empty profile aside."""
    named = {operator: set(values) for operator, values in update.items()}
    if named.get("$setOnInsert", set()) >= MADE_AT_FIRST_CONTACT.keys():
        named.pop("$setOnInsert")
    named.pop("$pull", None)
    return set().union(*named.values()) if named else set()
