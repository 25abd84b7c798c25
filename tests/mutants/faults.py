"""All faults, in the order they are tried."""

from __future__ import annotations

from tests.mutants.fault import Fault
from tests.mutants.faults_commit import COMMIT
from tests.mutants.faults_memory import MEMORY
from tests.mutants.faults_message import MESSAGE
from tests.mutants.faults_review import REVIEW

FAULTS: tuple[Fault, ...] = (*MEMORY, *COMMIT, *REVIEW, *MESSAGE)
