"""Parameters as query, form, JSON and multipart."""

from __future__ import annotations

import pytest

from app.playground.api_error import ApiError
from app.playground.params import Params

FORM = "application/x-www-form-urlencoded"


def test_query_and_form_are_joined() -> None:
    params = Params.parse("offset=5", FORM, b"timeout=3&text=a%20b")
    assert (params.integer("offset"), params.integer("timeout")) == (5, 3)
    assert params.text("text") == "a b"


def test_json_values_keep_their_types() -> None:
    body = b'{"chat_id": 7, "entities": [{"type": "bold"}], "flag": true}'
    params = Params.parse("", "application/json; charset=utf-8", body)
    assert params.text("chat_id") == "7"
    assert params.json("entities") == [{"type": "bold"}]
    assert params.boolean("flag")


def test_json_inside_a_form_is_read() -> None:
    assert Params({"reaction": '[{"type":"emoji"}]'}).json("reaction") == [{"type": "emoji"}]


def test_multipart_carries_fields_and_a_binary_file() -> None:
    content = b"\r\n\x00--edge\n\xff"
    body = (
        b'--cut\r\nContent-Disposition: form-data; name="chat_id"\r\n\r\n7\r\n'
        b'--cut\r\nContent-Disposition: form-data; name="document"; filename="a.json"\r\n'
        b"Content-Type: application/json\r\n\r\n" + content + b"\r\n--cut--\r\n"
    )
    params = Params.parse("", "multipart/form-data; boundary=cut", body)
    assert params.text("chat_id") == "7"
    assert params.files["document"].name == "a.json"
    assert params.files["document"].content == content


@pytest.mark.parametrize(
    ("content_type", "body"),
    [("application/json", b"[1]"), ("application/json", b"{"), ("multipart/form-data", b"x")],
)
def test_a_broken_body_is_a_bad_request(content_type: str, body: bytes) -> None:
    with pytest.raises(ApiError, match="400"):
        Params.parse("", content_type, body)


def test_a_number_that_is_none_is_a_bad_request() -> None:
    with pytest.raises(ApiError, match="offset must be a number"):
        Params({"offset": "x"}).integer("offset")
