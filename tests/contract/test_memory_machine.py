"""Memory in any order: what two people say, edit, forget, what jobs do, what crashes cut short."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.contract.memory_machine.machine import MemoryMachine

EXAMPLES = int(os.environ.get("MEMORY_MACHINE_EXAMPLES", "25"))


def test_whatever_happens_memory_keeps_its_promises() -> None:
    MemoryMachine.totals.clear()
    run_state_machine_as_test(
        MemoryMachine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=40,
            deadline=None,
            derandomize="MEMORY_MACHINE_EXAMPLES" not in os.environ,
            suppress_health_check=list(HealthCheck),
        ),
    )
    print(dict(MemoryMachine.totals))
