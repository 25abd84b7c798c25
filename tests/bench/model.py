"""The model server of the benchmark, as a process: one short answer, at once, always the same.

A request that asks for structured output gets the bundle, one that doesn't gets the same words
as plain text, so that both subjects show people the same message.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from tests.bench.questions import answer_questions, stop_event, tell
from tests.doubles.model_behaviours import Behaviour, bundle, text
from tests.doubles.model_server import ModelServer

REPLY = "That sounds like a good plan. Tell me how it went when you are back, I'd like to know!"
AS_BUNDLE = bundle(REPLY)
AS_TEXT = text(REPLY)


def fixed(body: Mapping[str, Any]) -> Behaviour:
    """The one answer."""
    return AS_BUNDLE if body.get("response_format") else AS_TEXT


async def serve() -> None:
    """Tell the address, then the number of requests whenever asked."""
    stop = stop_event()
    server = ModelServer(answer=fixed)
    server.keeps_requests = False

    async def answer(question: dict[str, Any]) -> dict[str, Any]:
        return {"requests": server.count, "rejections": server.rejections[:1]}

    async with server:
        tell({"base_url": server.base_url})
        questions = asyncio.create_task(answer_questions(answer, stop))
        await stop.wait()
        questions.cancel()


if __name__ == "__main__":
    asyncio.run(serve())
