"""Starts the bot again and again, each time as a fresh process.

All modules are imported once; for every line on standard input a child is forked that runs the
bot until it is killed or told to stop, and its exit status is printed as a JSON line. Forking
happens before any loop, thread or connection exists.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys

from app.bootstrap import run_bot
from app.config import load_settings
from app.logs import configure
from tests.crash.bare import run_bare
from tests.crash.killer import arm


async def serve(subject: str) -> None:
    """Run one life of the bot until SIGTERM."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    settings = load_settings()
    if subject == "bare":
        await run_bare(settings, stop)
    else:
        await run_bot(settings, stop, lambda link: None)


def main() -> None:
    """Fork one life a line of input."""
    subject = sys.argv[1]
    for _ in sys.stdin:
        pid = os.fork()
        if pid == 0:
            sys.stdin.close()
            os.setsid()
            configure(os.environ.get("LOG_LEVEL", "WARNING"), json=False)
            arm(dict(os.environ))
            asyncio.run(serve(subject))
            os._exit(0)
        print(json.dumps({"pid": pid}), flush=True)
        _, status = os.waitpid(pid, 0)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        code = -signal.SIGKILL if killed else os.waitstatus_to_exitcode(status)
        print(json.dumps({"exit": int(code)}), flush=True)


if __name__ == "__main__":
    main()
