"""scripts/mutants: breaks the product on purpose and expects the tests to notice.

A check that finds nothing proves something only if it would have found it. So for each protection
there is a fault in tests/mutants/faults*.py that takes it away, and the tests that guard it. The
guards have to pass first; then each fault is put into a copy of the checkout, changes that aren't
committed included, and its guard is run there. At least one test has to fail, by its own judgement
and not because the code no longer runs.

caught    a test failed, as it should
survived  all of them passed: nothing guards that protection
broken    the fault proves nothing: it no longer fits its file, its guard fails without it, or the
          code doesn't run with it

Exit status 1 when any fault survived or is broken. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.fault import Fault
from tests.mutants.faults import FAULTS
from tests.mutants.guard import WrongCode
from tests.mutants.run import Result, run

ROOT = Path(__file__).resolve().parents[2]


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="scripts/mutants",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="examples:\n  scripts/mutants\n  scripts/mutants --quick\n  scripts/mutants --list\n"
        "  scripts/mutants evidence-anywhere tombstones-ignored\n"
        "  scripts/mutants | tail -1 | python3 -m json.tool",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these faults")
    parser.add_argument("--list", action="store_true", help="name the faults and what they break")
    parser.add_argument("--quick", action="store_true", help="leave out the slow ones")
    arguments = parser.parse_args(argv)
    unknown = sorted(set(arguments.names) - {fault.name for fault in FAULTS})
    if unknown:
        parser.error(f"no fault is called {', '.join(unknown)}; --list names them")
    return arguments


def chosen(arguments: argparse.Namespace) -> list[Fault]:
    """The faults that the command line asks for."""
    named = [fault for fault in FAULTS if not arguments.names or fault.name in arguments.names]
    return [fault for fault in named if not (arguments.quick and fault.slow)]


def summary(results: Sequence[Result], secs: float) -> dict[str, object]:
    """The last line."""

    def names(word: str) -> list[str]:
        return [r.fault.name for r in results if r.verdict.word == word]

    return {
        "faults": len(results),
        "caught": len(names("caught")),
        "survived": names("survived"),
        "broken": names("broken"),
        "secs": round(secs, 1),
    }


def main() -> int:
    """Try the faults, a line each; 1 when one survived or is broken, 130 when broken off."""
    arguments = parse()
    faults = chosen(arguments)
    if arguments.list:
        print("\n".join(map(_described, faults)))
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    began = time.monotonic()
    results = []
    try:
        for result in run(faults, ROOT, _say):
            results.append(result)
            verdict = result.verdict
            _say(
                f"{len(results):3}/{len(faults)} {verdict.word:8} {result.fault.name} "
                f"({result.secs:.1f} s) {verdict.why}"
            )
    except KeyboardInterrupt:
        return 130
    except (WrongCode, subprocess.CalledProcessError, OSError) as error:
        _say(f"mutants: {error}")
        return 1
    print(json.dumps(summary(results, time.monotonic() - began)))
    return 0 if all(result.verdict.word == "caught" for result in results) else 1


def _described(fault: Fault) -> str:
    return f"{fault.name}{' (slow)' if fault.slow else ''}\n    {fault.breaks}"


def _say(line: str) -> None:
    print(line.rstrip(), file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
