"""Doctor: every state of every part gets plain words and a hint, and never a secret."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from app.errors import (
    ConfigError,
    ModelError,
    ModelFailure,
    SendAmbiguous,
    SendRejected,
    SendUnavailable,
    StoreUnavailable,
)
from app.services.doctor import (
    Ask,
    Check,
    Status,
    Verdict,
    database_check,
    model_check,
    persona_check,
    rows,
    run_doctor,
    telegram_check,
    worst,
)


def says(text: str) -> Ask:
    async def ask() -> str:
        return text

    return ask


def raises(error: Exception) -> Ask:
    async def ask() -> str:
        raise error

    return ask


async def hangs() -> str:
    await asyncio.Event().wait()
    return "never"


async def verdict(check: Check) -> Verdict:
    (only,) = await run_doctor([check])
    return only


async def test_a_sound_installation(tmp_path: Path) -> None:
    file = tmp_path / "persona.md"
    file.write_text("You are kind.", encoding="utf-8")
    verdicts = await run_doctor(
        [
            database_check(says("MongoDB 8.0 on db.example.org")),
            model_check(says("gpt-5-mini")),
            telegram_check(says("thinkmate_bot")),
            persona_check(file),
        ]
    )
    assert [row[:3] for row in rows(verdicts)] == [
        ("ok", "database", "MongoDB 8.0 on db.example.org answers"),
        ("ok", "model", "gpt-5-mini answers"),
        ("ok", "telegram", "the token belongs to @thinkmate_bot"),
        ("ok", "persona", f"{file} has 13 characters"),
    ]
    assert worst(verdicts) is Status.OK


async def test_what_is_not_set_up_is_a_warning_with_a_way_on() -> None:
    verdicts = await run_doctor([model_check(None), telegram_check(None)])
    assert [one.status for one in verdicts] == [Status.WARN, Status.WARN]
    assert all("thinkmate setup" in one.hint for one in verdicts)
    assert worst(verdicts) is Status.WARN


@pytest.mark.parametrize("kind", ModelFailure)
async def test_every_model_failure_has_its_own_words(kind: ModelFailure) -> None:
    one = await verdict(model_check(raises(ModelError(kind, "canary"))))
    assert one.status is not Status.OK
    assert one.message
    assert one.hint
    assert "canary" not in one.message + one.hint


async def test_model_failures_are_told_apart() -> None:
    verdicts = await run_doctor(model_check(raises(ModelError(kind))) for kind in ModelFailure)
    assert len({one.message for one in verdicts}) == len(ModelFailure)


@pytest.mark.parametrize("error", [SendUnavailable("canary"), SendAmbiguous("canary")])
async def test_an_unreachable_telegram_is_not_a_wrong_token(error: Exception) -> None:
    one = await verdict(telegram_check(raises(error)))
    assert one.status is Status.FAIL
    assert "reached" in one.message
    assert "BotFather" not in one.hint


@pytest.mark.parametrize("error", [SendRejected("Unauthorized"), ConfigError("TELEGRAM_BOT_TOKEN")])
async def test_a_wrong_token_points_to_botfather(error: Exception) -> None:
    one = await verdict(telegram_check(raises(error)))
    assert one.status is Status.FAIL
    assert "BotFather" in one.hint


@pytest.mark.parametrize("error", [StoreUnavailable("mongodb://u:canary@h"), ValueError("canary")])
async def test_a_database_failure_shows_no_address(error: Exception) -> None:
    one = await verdict(database_check(raises(error)))
    assert one.status is Status.FAIL
    assert "canary" not in one.message + one.hint
    assert "MONGODB_URI" in one.hint


async def test_a_missing_persona_names_its_key(tmp_path: Path) -> None:
    one = await verdict(persona_check(tmp_path / "none.md"))
    assert one.status is Status.FAIL
    assert "PERSONA_FILE" in one.message


async def test_a_hanging_check_holds_up_nobody() -> None:
    slow = replace(database_check(hangs), deadline_secs=0.01)
    stuck, fine = await run_doctor([slow, model_check(says("gpt-5-mini"))])
    assert stuck == Verdict("database", Status.FAIL, "no answer within 0.01 s", slow.hint)
    assert fine.status is Status.OK


async def test_a_checks_own_timeout_is_not_called_the_deadline() -> None:
    one = await verdict(database_check(raises(TimeoutError())))
    assert one.message == "no answer"


def test_the_gravest_status_counts() -> None:
    states = [Verdict("a", status, "") for status in (Status.WARN, Status.FAIL, Status.OK)]
    assert worst(states) is Status.FAIL
    assert worst([]) is Status.OK
