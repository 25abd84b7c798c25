"""Figures from rounds, and the names a reader of the JSON line relies on."""

from __future__ import annotations

import pytest

from tests.bench.__main__ import QUICK, parse, plan_of
from tests.bench.counted import is_background
from tests.bench.report import Comparison, Counts, Round, Summary, json_line, table
from tests.doubles.command_log import Command

COUNTS = Counts(
    turns=50,
    commands={"insert inbox": 50, "update chat_buffers": 100, "insert usage": 1},
    background=1,
    model_calls=50,
)


def _rounds(*cpu: float) -> list[Round]:
    return [Round(turns=100, cpu=secs, wall=2.0, waits=(0.01, 0.03, 0.02)) for secs in cpu]


def _comparison(concurrency: int) -> Comparison:
    product, bare = Summary.of(_rounds(0.9, 0.6, 5.0)), Summary.of(_rounds(0.3))
    return Comparison(concurrency, product, bare)


def test_a_round_is_divided_by_its_turns() -> None:
    (found,) = _rounds(0.8)
    assert (found.cpu_ms, found.wall_ms) == (8.0, 20.0)


def test_one_noisy_round_does_not_move_the_median() -> None:
    summary = Summary.of(_rounds(0.9, 0.6, 5.0))
    assert summary.cpu_ms == pytest.approx(9.0)
    assert summary.turns_per_s == 50.0
    assert summary.wait_ms == pytest.approx(20.0)


def test_typing_signals_are_counted_over_all_turns() -> None:
    rounds = [Round(10, 1.0, 1.0, (0.1,), typing=5), Round(30, 1.0, 1.0, (0.1,), typing=5)]
    assert Summary.of(rounds).typing_per_turn == 0.25


def test_the_ratio_is_the_product_over_the_bare_handler() -> None:
    assert _comparison(1).cpu_ratio == pytest.approx(3.0)


def test_every_command_counts_as_a_round_trip() -> None:
    assert COUNTS.round_trips == pytest.approx(3.02)


def test_the_json_line_has_the_figures_the_readers_need() -> None:
    line = json_line([_comparison(1), _comparison(64)], COUNTS, turns=100, rounds=3, database="d")
    wanted = {
        *("cpu_ms_c1", "cpu_ms_bare_c1", "cpu_ratio_c1", "cpu_ratio_c64", "wall_ms_c1"),
        *("turns_per_s_c64", "turns_per_s_bare_c64", "round_trips_per_turn"),
        *("model_calls_per_turn", "turns", "rounds", "python", "packages"),
    }
    assert wanted <= line.keys()
    assert line["model_calls_per_turn"] == 1.0
    assert line["round_trips_per_turn"] == 3.02
    assert line["background_commands"] == 1


def test_the_table_names_the_commands_a_turn_takes() -> None:
    shown = table([_comparison(1)], COUNTS)
    assert "2.00  update chat_buffers" in shown
    assert "database commands a turn: 3.02" in shown


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (Command("insert", "usage", {}), True),
        (Command("update", "metrics_state", {}), True),
        (Command("find", "chat_buffers", {"filter": {"next_delivery_at": {"$lte": 1}}}), True),
        (Command("find", "chat_buffers", {"filter": {"_id": "5"}}), False),
        (Command("insert", "inbox", {}), False),
    ],
)
def test_housekeeping_is_told_from_a_turns_own_commands(command: Command, expected: bool) -> None:
    assert is_background(command) is expected


def test_quick_measures_little_and_turns_and_rounds_are_taken_over() -> None:
    assert plan_of(parse(["turn", "--quick"])) == QUICK
    plan = plan_of(parse(["turn", "--turns", "1000", "--rounds", "5"]))
    assert (plan.turns, plan.rounds) == (1000, 5)


def test_zero_turns_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["turn", "--turns", "0"])
    assert "at least 1" in capsys.readouterr().err
