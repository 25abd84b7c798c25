"""What a turn costs: database commands and model calls, counted at the driver."""

from __future__ import annotations

import json

import pytest

from app import bootstrap
from app.database.profiles import ProfileStore
from app.services import job_runner
from tests.bench.counted import is_the_turns
from tests.doubles.command_log import CommandLog
from tests.doubles.model_behaviours import bundle, text
from tests.integration.stage import Stage

HOURS = 7_200.0
BUDGET = 6
MEMORY_BUDGET = 8
ASKED = {
    "op": "remember",
    "text": "I sing in a choir on Tuesdays",
    "quote": "I sing in a choir on Tuesdays",
    "category": "hobby",
    "id": None,
}


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> CommandLog:
    """A log to give to the bot's database, with no housekeeping tick in between."""
    for ticks in ("FLUSH_SECS", "SWEEP_SECS", "EXPIRE_SECS", "WORK_SECS"):
        monkeypatch.setattr(bootstrap, ticks, HOURS)
    monkeypatch.setattr(job_runner, "LONGEST_SLEEP", HOURS)
    return CommandLog()


async def _one_turn(stage: Stage, commands: CommandLog, *texts: str) -> int:
    """Write messages that are one turn; returns how many model calls it took."""
    assert stage.bot is not None
    await stage.bot.memory_idle()
    commands.clear()
    calls, replies = len(stage.model.requests), len(stage.said())
    for words in texts:
        stage.ana.send(words)
    await stage.replies(replies + 1)
    await stage.turns_over()
    return len(stage.model.requests) - calls


async def _generation(stage: Stage) -> int:
    """How many commits Ana's memory has seen."""
    assert stage.db is not None
    profile = await ProfileStore(stage.db).read(stage.ana.id)
    return profile.generation if profile else 0


async def test_a_first_contact_costs_six_commands_and_one_call(
    stage: Stage, commands: CommandLog
) -> None:
    await stage.start(listeners=[commands])
    assert await _one_turn(stage, commands, "Hello") == 1
    assert 0 < len(commands.commands) <= BUDGET, commands.story()


async def test_a_message_of_a_warm_conversation_costs_six_commands_and_one_call(
    stage: Stage, commands: CommandLog
) -> None:
    await stage.start(listeners=[commands])
    await _one_turn(stage, commands, "Hello")
    assert await _one_turn(stage, commands, "And another thing") == 1
    assert [str(command) for command in commands.commands] == [
        "insert inbox",
        "findAndModify chat_buffers",
        "findAndModify user_profiles",
        "update chat_buffers",
        "update chat_buffers",
        "update inbox",
    ], commands.story()


async def test_a_reaction_beside_the_reply_costs_nothing_more(
    stage: Stage, commands: CommandLog
) -> None:
    await stage.start(listeners=[commands])
    stage.model.script(bundle("Lovely", "❤"))
    assert await _one_turn(stage, commands, "I got the job") == 1
    assert len(commands.commands) <= BUDGET, commands.story()


async def test_each_further_part_of_a_reply_costs_one_command_for_its_cursor(
    stage: Stage, commands: CommandLog
) -> None:
    await stage.start(listeners=[commands])
    stage.model.script(bundle("\n\n".join("All is well. " * 40 for _ in range(20))))
    assert await _one_turn(stage, commands, "Tell me everything") == 1
    parts = len(stage.said())
    assert parts > 1
    assert len(commands.commands) == BUDGET + parts - 1, commands.story()


async def test_a_burst_of_six_costs_six_inserts_and_one_turn(
    stage: Stage, commands: CommandLog
) -> None:
    await stage.start(listeners=[commands], message_batch_delay_secs=0.3, max_batch_delay_secs=2.0)
    assert await _one_turn(stage, commands, *(f"part {number}" for number in range(6))) == 1
    inserts = commands.count(lambda command: command.name == "insert")
    assert inserts == 6, commands.story()
    assert len(commands.commands) == 6 + BUDGET - 1, commands.story()


@pytest.mark.parametrize("said", ["My dog is called Rex", "Actually, it's Max, not Rex"])
async def test_a_turn_that_the_rules_take_memory_from_costs_one_command_more(
    stage: Stage, commands: CommandLog, said: str
) -> None:
    await stage.start(listeners=[commands])
    await _one_turn(stage, commands, "My cat is called Rex")
    before = await _generation(stage)
    assert await _one_turn(stage, commands, said) == 1
    assert commands.count(is_the_turns) == BUDGET + 1, commands.story()
    assert await _generation(stage) == before + 1


async def test_a_turn_in_which_rules_and_model_both_change_memory_costs_eight_commands(
    stage: Stage, commands: CommandLog
) -> None:
    await stage.start(listeners=[commands])
    await _one_turn(stage, commands, "Hello")
    stage.model.script(text(json.dumps({"reply": "I will", "memory_ops": [ASKED]})))
    before = await _generation(stage)
    assert await _one_turn(stage, commands, f"My dog is called Rex. {ASKED['quote']}!") == 1
    assert commands.count(is_the_turns) == MEMORY_BUDGET, commands.story()
    assert await _generation(stage) == before + 2


async def test_the_count_sees_one_command_more(stage: Stage, commands: CommandLog) -> None:
    await stage.start(listeners=[commands])
    await _one_turn(stage, commands, "Hello")
    before = len(commands.commands)
    await stage.stored_conversations()
    assert len(commands.commands) == before + 1, commands.story()
