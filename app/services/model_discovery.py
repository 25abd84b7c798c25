"""Finding a language model server that already runs on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from app.domain.conversation import Frozen
from app.memory.model_choice import pick_model
from app.services.llm_service import EndpointError, ModelEndpoint

__all__ = ["CANDIDATES", "Candidate", "FoundServer", "discover", "pick_model"]

PROBE_SECS = 0.5


class Candidate(Frozen):
    """A program and the loopback port it listens on when nobody changed it."""

    name: str
    port: int


class FoundServer(Frozen):
    """A server that answered: OPENAI_BASE_URL for it, and its models (perhaps none yet)."""

    name: str
    base_url: str
    models: tuple[str, ...]


CANDIDATES = (
    Candidate(name="Ollama", port=11434),
    Candidate(name="LM Studio", port=1234),
    Candidate(name="llama.cpp", port=8080),
    Candidate(name="vLLM", port=8000),
    Candidate(name="Jan", port=1337),
    Candidate(name="KoboldCpp", port=5001),
    Candidate(name="text-generation-webui", port=5000),
    Candidate(name="GPT4All", port=4891),
    Candidate(name="LiteLLM", port=4000),
    Candidate(name="SGLang", port=30000),
)


async def discover(
    candidates: Sequence[Candidate] = CANDIDATES, probe_secs: float = PROBE_SECS
) -> list[FoundServer]:
    """The OpenAI-compatible servers on 127.0.0.1, in the order of the candidates.

    All ports are tried at once; the whole takes little more than `probe_secs`.
    """
    found = await asyncio.gather(*(_probe(candidate, probe_secs) for candidate in candidates))
    return [server for server in found if server is not None]


async def _probe(candidate: Candidate, probe_secs: float) -> FoundServer | None:
    if not await _listens(candidate.port, probe_secs):
        return None
    base_url = f"http://127.0.0.1:{candidate.port}/v1"
    endpoint = ModelEndpoint(base_url, None)
    try:
        models = await endpoint.models(probe_secs)
    except EndpointError:
        return None
    finally:
        await endpoint.aclose()
    return FoundServer(name=candidate.name, base_url=base_url, models=models)


async def _listens(port: int, probe_secs: float) -> bool:
    try:
        async with asyncio.timeout(probe_secs):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True
