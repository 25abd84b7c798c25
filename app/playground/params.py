"""A Bot API call's parameters, whichever way they were sent."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from email.message import Message as Headers
from typing import Any
from urllib.parse import parse_qsl

from app.playground.api_error import bad_request


@dataclass(frozen=True)
class Upload:
    """An uploaded file."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Params:
    """Values are text (from a query or form) or JSON values; both are understood everywhere."""

    values: dict[str, Any] = field(default_factory=dict)
    files: dict[str, Upload] = field(default_factory=dict)

    @classmethod
    def parse(cls, query: str, content_type: str, body: bytes) -> Params:
        """Read query and body. ApiError 400 when the body isn't what its type says."""
        values: dict[str, Any] = dict(parse_qsl(query, keep_blank_values=True))
        files: dict[str, Upload] = {}
        kind, options = _content_type(content_type)
        try:
            if kind == "application/json" and body:
                decoded = json.loads(body)
                if not isinstance(decoded, dict):
                    raise ValueError("not an object")
                values |= decoded
            elif kind == "application/x-www-form-urlencoded":
                values |= dict(parse_qsl(body.decode(), keep_blank_values=True))
            elif kind == "multipart/form-data":
                fields, files = _multipart(options["boundary"], body)
                values |= fields
        except (ValueError, KeyError, RecursionError) as error:
            raise bad_request("can't parse the request's body") from error
        return cls(values, files)

    def text(self, name: str) -> str:
        """A string; empty when it is missing."""
        value = self.values.get(name)
        return value if isinstance(value, str) else "" if value is None else json.dumps(value)

    def integer(self, name: str) -> int | None:
        """A whole number, or None when it is missing."""
        value = self.values.get(name)
        if value is None or value == "":
            return None
        try:
            return int(value)
        except (TypeError, ValueError):
            raise bad_request(f"{name} must be a number") from None

    def boolean(self, name: str) -> bool:
        """A truth value; False when it is missing."""
        return str(self.values.get(name, "")).lower() in ("true", "1", "yes")

    def json(self, name: str) -> Any:
        """A JSON value; None when it is missing."""
        value = self.values.get(name)
        if not isinstance(value, str):
            return value
        if not value:
            return None
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            raise bad_request(f"can't parse {name} JSON object") from None


def _content_type(header: str) -> tuple[str, dict[str, str]]:
    parsed = Headers()
    parsed["content-type"] = header or "application/octet-stream"
    return parsed.get_content_type(), dict(parsed.get_params(failobj=[])[1:])


def _multipart(boundary: str, body: bytes) -> tuple[dict[str, str], dict[str, Upload]]:
    fields: dict[str, str] = {}
    files: dict[str, Upload] = {}
    for part in (b"\r\n" + body).split(b"\r\n--" + boundary.encode())[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        disposition = Headers()
        for line in head.decode().split("\r\n"):
            key, _, value = line.partition(":")
            if key.lower() == "content-disposition":
                disposition["content-disposition"] = value.strip()
        options = dict(disposition.get_params(failobj=[], header="content-disposition")[1:])
        if "filename" in options:
            files[options["name"]] = Upload(options["filename"], content)
        else:
            fields[options["name"]] = content.decode()
    return fields, files
