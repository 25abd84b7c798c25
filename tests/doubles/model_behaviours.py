"""What a scripted model server can do with a request, and what it would refuse about one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

JSON = "application/json"
ROLES = {"system", "developer", "user", "assistant", "tool"}
PARAMETERS = {
    *("model", "messages", "response_format", "temperature", "top_p", "max_tokens", "stop", "n"),
    *("max_completion_tokens", "seed", "user", "stream", "presence_penalty", "frequency_penalty"),
}


@dataclass(frozen=True)
class Behaviour:
    """What one request gets: an HTTP answer, or silence (`hang`), or a broken connection."""

    kind: str = "answer"
    status: int = 200
    body: bytes = b""
    content_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)


def text(content: str | None, *, finish_reason: str = "stop", **message: Any) -> Behaviour:
    """A completion with this content, and with other fields of the message if need be."""
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": content, **message},
        "finish_reason": finish_reason,
    }
    return completion([choice], completion_tokens=len(content or "") // 4)


def completion(choices: list[Any], completion_tokens: int = 0) -> Behaviour:
    """A completion with these choices."""
    usage = {"prompt_tokens": 20, "completion_tokens": completion_tokens, "total_tokens": 20}
    return json_answer(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": "scripted",
            "choices": choices,
            "usage": usage,
        }
    )


def bundle(reply: str, reaction: str | None = None) -> Behaviour:
    """A well-formed reply."""
    return text(json.dumps({"reply": reply, "reaction": reaction}, ensure_ascii=False))


def json_answer(value: Any, status: int = 200, **headers: str) -> Behaviour:
    """Any JSON under any status."""
    return Behaviour(status=status, body=json.dumps(value).encode(), headers=headers)


def error(
    status: int, message: str, *, code: str | None = None, param: str | None = None, **headers: str
) -> Behaviour:
    """An error in OpenAI's form."""
    problem = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return json_answer({"error": problem}, status, **headers)


def garbage() -> Behaviour:
    """A completion whose content is JSON-like and broken."""
    return text('{"reply": "It broke in the midd')


def empty() -> Behaviour:
    """A completion without a word."""
    return text("")


def null_content() -> Behaviour:
    """A completion whose content is null."""
    return text(None)


def no_choices() -> Behaviour:
    """A completion without choices."""
    return completion([])


def rate_limited(retry_after: float | str | None = None) -> Behaviour:
    """429, with Retry-After where given."""
    headers = {} if retry_after is None else {"retry-after": str(retry_after)}
    return error(429, "Rate limit reached", code="rate_limit_exceeded", **headers)


def server_error(status: int = 500) -> Behaviour:
    """The server's own fault."""
    return error(status, "The server had an error")


def unauthorized(key: str = "") -> Behaviour:
    """401, repeating the key as OpenAI does in part."""
    return error(401, f"Incorrect API key provided: {key}", code="invalid_api_key")


def no_credit(status: int = 429) -> Behaviour:
    """OpenAI says it with 429, others with 402."""
    return error(status, "You exceeded your current quota", code="insufficient_quota")


def unknown_model(name: str = "this") -> Behaviour:
    """404 for a model that doesn't exist."""
    return error(404, f"The model '{name}' does not exist", code="model_not_found")


def refuses_format(kind: str) -> Behaviour:
    """400 for a response_format the model doesn't take."""
    message = f"Invalid parameter: 'response_format' of type '{kind}' is not supported"
    return error(400, message, param="response_format")


def html(status: int = 200) -> Behaviour:
    """A web page where an API should be."""
    page = b"<html><body>It works</body></html>"
    return Behaviour(status=status, body=page, content_type="text/html")


def hang() -> Behaviour:
    """No answer until the other side gives up or `release` is called, which answers as usual."""
    return Behaviour(kind="hang")


def reset() -> Behaviour:
    """The connection breaks."""
    return Behaviour(kind="reset")


def last_user_message(body: Mapping[str, Any]) -> str:
    """What the person said last, as the prompt has it."""
    said = [item["content"] for item in body["messages"] if item["role"] == "user"]
    return said[-1] if said and isinstance(said[-1], str) else ""


def echo(body: Mapping[str, Any]) -> Behaviour:
    """The default answer."""
    return bundle(f"You said: {last_user_message(body)}")


def check_chat(body: Mapping[str, Any]) -> str | None:
    """What OpenAI would refuse about a chat request, None when nothing."""
    unknown = body.keys() - PARAMETERS
    if unknown:
        return f"Unrecognized request argument supplied: {sorted(unknown)[0]}"
    if not isinstance(body.get("model"), str) or not body["model"]:
        return "you must provide a model parameter"
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return "[] is too short - 'messages'"
    for number, message in enumerate(messages):
        if not isinstance(message, dict) or message.get("role") not in ROLES:
            return f"Invalid value for 'messages[{number}].role'"
        if not isinstance(message.get("content"), str | list):
            return f"Invalid value for 'content' in 'messages[{number}]'"
    return _check_format(body.get("response_format"), messages)


def _check_format(wanted: Any, messages: list[dict[str, Any]]) -> str | None:
    if wanted is None:
        return None
    kind = wanted.get("type") if isinstance(wanted, dict) else None
    if kind not in ("text", "json_object", "json_schema"):
        return "Invalid value for 'response_format.type'"
    if kind == "json_object" and not any(
        "json" in str(message["content"]).lower() for message in messages
    ):
        return "'messages' must contain the word 'json' to use response_format json_object"
    return _check_schema(wanted.get("json_schema")) if kind == "json_schema" else None


def _check_schema(spec: Any) -> str | None:
    if not isinstance(spec, dict) or not re.fullmatch(
        r"[A-Za-z0-9_-]{1,64}", str(spec.get("name", ""))
    ):
        return "Missing or bad 'response_format.json_schema.name'"
    schema = spec.get("schema")
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return "Invalid schema for response_format: must be an object"
    if spec.get("strict"):
        if schema.get("additionalProperties") is not False:
            return "Invalid schema for response_format: 'additionalProperties' must be false"
        if set(schema.get("required", ())) != set(schema.get("properties", ())):
            return "Invalid schema for response_format: 'required' must name every property"
    return None
