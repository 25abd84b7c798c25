"""`thinkmate memory` over a database that a real bot wrote."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path

import pytest

from tests.doubles.playground import running_playground
from tests.integration.cli_process import Cli, connected, ended, one_line


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """On the embedded database of its own data directory."""
    return Cli(tmp_path, "")


async def test_what_a_bot_remembers_can_be_looked_at_while_it_runs_and_after(cli: Cli) -> None:
    async with running_playground() as telegram:
        cli.env.update(connected(telegram))
        ana = telegram.world.add_person("Ana")
        bot = await cli.begin("run")
        try:
            for number, words in enumerate(
                ("My dog is called Rex", "Actually, it's Max, not Rex"), start=1
            ):
                ana.send(words)
                await telegram.wait_for(
                    lambda ledger, number=number: len(ledger.bot_messages(ana.id)) >= number, 30
                )
            listed, shown = await asyncio.gather(
                cli.run("memory", "subjects"), cli.run("memory", "show", str(ana.id))
            )
        finally:
            bot.send_signal(signal.SIGTERM)
            result = await ended(bot)
        assert result.code == 0, result
    assert str(ana.id) in listed.out
    assert "Max" not in listed.out
    assert "My dog is called Max" in shown.out
    assert "“it's Max, not Rex”" in shown.out

    subjects = json.loads((await cli.run("memory", "subjects", "--json")).out)
    assert [(s["subject"], s["active"]) for s in subjects["subjects"]] == [(ana.id, 1)]
    assert subjects["next_after"] is None
    active = json.loads((await cli.run("memory", "show", str(ana.id), "--json")).out)
    (gone,) = json.loads((await cli.run("memory", "history", str(ana.id), "--json")).out)
    (fact,) = active["facts"]
    assert (fact["value"], gone["record"]["value"], gone["end"]) == ("Max", "Rex", "superseded")
    chain = json.loads((await cli.run("memory", "lineage", str(ana.id), fact["id"], "--json")).out)
    assert [(s["kind"], s["predecessor"]) for s in chain] == [("corrects", gone["record"]["id"])]
    assert "thinkmate memory subjects" in one_line(await cli.run("memory", "show", "42"))
    unknown = one_line(await cli.run("memory", "lineage", str(ana.id), "m-unknown"))
    assert f"thinkmate memory show {ana.id}" in unknown
    assert (await cli.run("memory", "show", "Ana")).code == 2
