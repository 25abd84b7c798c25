"""The stock handler as a process, the benchmark's yardstick."""

from __future__ import annotations

import asyncio

from app.config import load_settings
from tests.bench.questions import stop_event
from tests.crash.bare import run_bare


async def serve() -> None:
    """Run until SIGTERM."""
    await run_bare(load_settings(), stop_event())


if __name__ == "__main__":
    asyncio.run(serve())
