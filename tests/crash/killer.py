"""Where the bot dies: SIGKILL right before or right after a durable operation.

A durable operation is a write to the database, a call that Telegram acts on, or the getUpdates
that confirms what came before. The policy is handed over in environment variables:

CRASH_MODE     every | random
CRASH_HITS     file of the points hit so far, a JSON line each; a point is hit once
CRASH_SEEN     file of the points passed so far, hit or not
CRASH_INDEX    file with two numbers: which message of the script, how many were sent before it
CRASH_SEED     random: where the dice start;  CRASH_CHANCE  random: odds per operation side
CRASH_LIMIT    random: how many kills in all
"""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pymongo import monitoring
from telegram.request import HTTPXRequest, RequestData

from tests.crash.points import Point, append_point, read_points

WRITES = frozenset({"insert", "update", "delete", "findAndModify"})
SETTLE = "settle:chat_buffers"
BACKGROUND = frozenset({"jobs", "archive", "lineage", "proposals", "subject_locks"})
ANYWHERE = -1
"""The index of a point that is hit once in the whole run: the same job is done at many steps, and
one whose workers are killed again and again rests longer each time, as it should."""
SENDS = frozenset({"sendMessage", "setMessageReaction", "getUpdates"})


class Killer:
    """Decides at each side of each operation whether the process ends here."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._random = environment["CRASH_MODE"] == "random"
        self._hits = Path(environment["CRASH_HITS"])
        self._seen = Path(environment["CRASH_SEEN"])
        self._index = Path(environment["CRASH_INDEX"])
        self._chance = float(environment.get("CRASH_CHANCE", "0"))
        self._dice = random.Random(f"{environment.get('CRASH_SEED', '0')}:{os.getpid()}")
        self._known = read_points(self._hits)
        self._unmarked: set[str] = set()
        self._door = threading.Lock()
        self._passed = set(read_points(self._seen))
        self._spent = len(self._known) >= int(environment.get("CRASH_LIMIT", "0"))

    def at(self, operation: str, side: str) -> None:
        """End the process here if the policy says so."""
        if self._spent:
            return
        index, step = map(int, self._index.read_text().split())
        point = Point(ANYWHERE if is_background(operation) else index, operation, side, step=step)
        # Held until the end comes: no other thread passes a point, or begins to send, after it.
        with self._door:
            if point not in self._passed:
                self._passed.add(point)
                append_point(self._seen, point)
            dies = self._dice.random() < self._chance if self._random else point not in self._known
            if dies:
                append_point(self._hits, replace(point, open_sends=len(self._unmarked)))
                os.kill(os.getpid(), signal.SIGKILL)

    def sends(self, chat: str) -> None:
        """A message to this chat is about to be sent."""
        with self._door:
            self._unmarked.add(chat)

    def marked(self, chat: str) -> None:
        """The conversation knows what was sent."""
        self._unmarked.discard(chat)


class CommandKiller(monitoring.CommandListener):
    """Dies around database writes."""

    def __init__(self, killer: Killer) -> None:
        self._killer = killer
        self._names: dict[int, tuple[str, str]] = {}

    def started(self, event: monitoring.CommandStartedEvent) -> None:
        """Before the command is sent."""
        if event.command_name in WRITES:
            name = operation_name(event.command_name, event.command)
            chat = str(event.command.get("updates", [{}])[0].get("q", {}).get("_id", ""))
            self._names[event.request_id] = (name, chat)
            self._killer.at(name, "before")

    def succeeded(self, event: monitoring.CommandSucceededEvent) -> None:
        """After the database acknowledged it; what matched nothing wrote nothing."""
        name, chat = self._names.pop(event.request_id, ("", ""))
        if event.command_name == "update" and not event.reply.get("n"):
            return
        if name == SETTLE:
            self._killer.marked(chat)
        if name:
            self._killer.at(name, "after")

    def failed(self, event: monitoring.CommandFailedEvent) -> None:
        """A refused command is no durable operation."""
        self._names.pop(event.request_id, None)


def is_background(operation: str) -> bool:
    """Whether an operation belongs to a job."""
    return operation.partition(":")[2] in BACKGROUND


def operation_name(command: str, body: Any) -> str:
    """A write's name: command, collection, and which of the conversation's writes it is."""
    collection = str(body.get(command, ""))
    changes = [update.get("u", {}) for update in body.get("updates", ())]
    values: dict[str, Any] = {}
    for change in changes:
        for operator in change.values():
            values.update(operator if isinstance(operator, Mapping) else {})
    if collection == "jobs" and command == "update":
        status = values.get("status", "again" if "again" in values else "other")
        return f"{status}:jobs"
    if (
        collection == "user_profiles"
        and values.keys() & {"pending_effects", "effects_due_at"}
        and ("$pull" in changes[0] or "$unset" in changes[0])
    ):
        return "paid:jobs"
    if collection != "chat_buffers":
        return f"{command}:{collection}"
    if command == "findAndModify":
        return "begin:chat_buffers"
    if "extracted_through" in values:
        return "extracted:jobs"
    if "outbox" in values and "handled" not in values:
        return SETTLE
    if "handled" in values:
        return "commit:chat_buffers"
    if any("content" in key for key in values):
        return "edit:chat_buffers"
    return "lease:chat_buffers" if set(values) <= {"lease.expires_at"} else "trim:chat_buffers"


def arm(environment: dict[str, str]) -> None:
    """Put the killer around every durable operation of this process."""
    killer = Killer(environment)
    monitoring.register(CommandKiller(killer))
    original = HTTPXRequest.do_request

    async def do_request(
        self: HTTPXRequest,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        *args: Any,
        **more: Any,
    ) -> Any:
        name = url.rsplit("/", 1)[-1]
        if name not in SENDS:
            return await original(self, url, method, request_data, *args, **more)
        killer.at(name, "before")
        if name == "sendMessage" and request_data is not None:
            killer.sends(str(request_data.parameters["chat_id"]))
        answer = await original(self, url, method, request_data, *args, **more)
        killer.at(name, "after")
        return answer

    HTTPXRequest.do_request = do_request  # type: ignore[method-assign]
