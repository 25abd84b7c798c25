"""Room: the command line.

Lives here: `thinkmate` and its commands; each file is a group of them.
May import: everything. Touches: the terminal.
Tested by: tests/integration/test_cli.py.
"""

from app.cli.main import main

__all__ = ["main"]
