from __future__ import annotations

import pytest
from pymongo import errors

from app.database.connection import BulkFailure, DuplicateKey, connect, store_errors
from app.errors import ConfigError, StoreError, StoreUnavailable

PASSING = [
    errors.AutoReconnect("gone"),
    errors.ConnectionFailure("gone"),
    errors.NetworkTimeout("slow"),
    errors.NotPrimaryError("stepped down"),
    errors.ServerSelectionTimeoutError("nobody"),
    errors.WaitQueueTimeoutError("busy"),
    errors.ExecutionTimeout("slow", 50),
    errors.WTimeoutError("slow", 64),
    errors.WriteConcernError("shutting down", 91),
    errors.OperationFailure("interrupted at shutdown", 11600),
    errors.BulkWriteError({"writeErrors": [], "writeConcernErrors": [{"code": 64}]}),
]


@pytest.mark.parametrize("failure", PASSING, ids=lambda failure: type(failure).__name__)
def test_what_may_pass_is_unavailable(failure: Exception) -> None:
    with pytest.raises(StoreUnavailable) as translated, store_errors():
        raise failure
    assert translated.value.__cause__ is failure


@pytest.mark.parametrize(
    "failure",
    [
        errors.OperationFailure("secret text", 2),
        errors.InvalidOperation("secret text"),
        errors.DocumentTooLarge("secret text"),
        errors.OperationFailure("secret text", 13),
    ],
    ids=lambda failure: type(failure).__name__,
)
def test_what_will_not_pass_is_a_plain_store_error(failure: Exception) -> None:
    with pytest.raises(StoreError) as translated, store_errors():
        raise failure
    assert not isinstance(translated.value, StoreUnavailable)
    assert "secret" not in str(translated.value)


@pytest.mark.parametrize(
    "failure",
    [
        DuplicateKey("twice", 11000),
        BulkFailure({"writeErrors": [{"code": 11000}], "writeConcernErrors": []}),
        KeyError("ours"),
    ],
    ids=lambda failure: type(failure).__name__,
)
def test_what_a_store_has_to_understand_passes_unchanged(failure: Exception) -> None:
    with pytest.raises(type(failure)) as passed, store_errors():
        raise failure
    assert passed.value is failure


@pytest.mark.parametrize(
    "uri",
    [
        "nonsense",
        "mongodb://anna:hunter2:x@localhost",
        "mongodb://anna:hunter2@localhost:port",
        "mongodb://anna:hunter2@localhost/?tls=hunter2&tlsInsecure=true&tlsAllowInvalidHostnames=true",
    ],
)
async def test_an_unusable_address_names_the_key_and_never_the_password(uri: str) -> None:
    with pytest.raises(ConfigError, match="MONGODB_URI") as refusal:
        await connect(uri, "thinkmate")
    assert "hunter2" not in str(refusal.value)
