"""Reading a process's CPU time."""

from __future__ import annotations

import os
import time

import pytest

from tests.bench.cpu import cpu_secs, parsed

LINE = "42 (py) thon (x)) S 1 42 42 0 -1 4194304 900 0 0 0 130 25 7 9 20 0 3 0 100 1 2 3"


def test_user_and_system_time_are_found_behind_an_odd_name() -> None:
    assert parsed(LINE) == 155


def test_work_shows_in_the_own_process() -> None:
    before, until = cpu_secs(os.getpid()), time.process_time() + 0.03
    while time.process_time() < until:
        pass
    assert cpu_secs(os.getpid()) > before


def test_a_process_that_is_gone_is_named() -> None:
    with pytest.raises(ProcessLookupError):
        cpu_secs(2**22 + 1)
