"""The model service: one language model endpoint behind retries, fallbacks and a breaker.

Only this folder imports openai.
"""

from app.services.llm_service.endpoint import EndpointError, ModelEndpoint, is_openai
from app.services.llm_service.service import DEFAULT_OPENAI_MODEL, LlmService

__all__ = ["DEFAULT_OPENAI_MODEL", "EndpointError", "LlmService", "ModelEndpoint", "is_openai"]
