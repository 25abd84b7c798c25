"""One worker a conversation: batches, order, concurrency, retries, dead letters."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from app.clock import Clock
from app.domain.inbox import Incoming, UpdateKind
from app.errors import StoreUnavailable
from app.memory.batching import BatchRules
from app.services import turns as turns_module
from app.services.intake import Received
from app.services.metrics import Metrics
from app.services.turns import Batch, Turns

SENT = datetime(2026, 3, 1, tzinfo=UTC)
QUICK = BatchRules(delay=0.03, max_delay=0.1, flood_max_delay=0.4)


class Recorder:
    """A handler that notes what it is given and can be told to fail or to wait."""

    def __init__(self) -> None:
        self.batches: list[Batch] = []
        self.delivered: list[str] = []
        self.given_up: list[int] = []
        self.errors: list[Exception] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.changed = asyncio.Condition()
        self.running = 0
        self.most_running = 0

    async def handle(self, batch: Batch) -> None:
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            async with self.changed:
                self.batches.append(batch)
                self.changed.notify_all()
            await self.gate.wait()
            if self.errors:
                raise self.errors.pop(0)
        finally:
            self.running -= 1

    async def deliver(self, key: str) -> None:
        async with self.changed:
            self.delivered.append(key)
            self.changed.notify_all()

    async def failed(self, item: Received, error: Exception) -> bool:
        gone = item.attempts + 1 >= 3
        if gone:
            async with self.changed:
                self.given_up.append(item.incoming.update_id)
                self.changed.notify_all()
        return gone

    async def until(self, condition: Callable[[Recorder], bool]) -> None:
        async with asyncio.timeout(5), self.changed:
            await self.changed.wait_for(lambda: condition(self))

    def ids(self) -> list[list[int]]:
        return [[item.incoming.update_id for item in batch.items] for batch in self.batches]


def update(
    number: int,
    kind: UpdateKind = UpdateKind.MESSAGE,
    key: str = "1",
    age: float = 0.0,
    sent: datetime = SENT,
) -> Received:
    incoming = Incoming(update_id=number, kind=kind, conversation=key, sender_id=5, sent_at=sent)
    return Received(
        row_id=str(number),
        incoming=incoming,
        received_at=SENT,
        arrived=time.monotonic() - age,
    )


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns_module, "RETRY_PAUSE_SECS", 0.01)
    monkeypatch.setattr(turns_module, "MAX_RETRY_PAUSE_SECS", 0.01)


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


def build(recorder: Recorder, rules: BatchRules = QUICK) -> Turns:
    return Turns(recorder, rules, Clock(), Metrics())


async def test_a_burst_is_one_turn(recorder: Recorder) -> None:
    turns = build(recorder)
    for number in range(6):
        turns.submit(update(number))
    await recorder.until(lambda r: len(r.batches) == 1)
    assert recorder.ids() == [[0, 1, 2, 3, 4, 5]]


async def test_what_arrives_during_a_reply_waits_for_the_next_turn(recorder: Recorder) -> None:
    turns = build(recorder)
    recorder.gate.clear()
    turns.submit(update(1))
    await recorder.until(lambda r: len(r.batches) == 1)
    turns.submit(update(2))
    turns.submit(update(3))
    recorder.gate.set()
    await recorder.until(lambda r: len(r.batches) == 2)
    assert recorder.ids() == [[1], [2, 3]]
    assert recorder.most_running == 1


async def test_a_command_closes_the_batch_before_it_and_stands_alone(recorder: Recorder) -> None:
    turns = build(recorder, BatchRules(delay=60, max_delay=60))
    turns.submit(update(1))
    turns.submit(update(2, UpdateKind.COMMAND))
    turns.submit(update(3, UpdateKind.BUTTON))
    await recorder.until(lambda r: len(r.batches) == 3)
    assert recorder.ids() == [[1], [2], [3]]
    await turns.stop(grace=0)


async def test_an_edit_joins_the_batch_of_its_message(recorder: Recorder) -> None:
    turns = build(recorder)
    turns.submit(update(1))
    turns.submit(update(2, UpdateKind.EDIT))
    await recorder.until(lambda r: len(r.batches) == 1)
    assert recorder.ids() == [[1, 2]]


async def test_conversations_run_side_by_side(recorder: Recorder) -> None:
    turns = build(recorder)
    recorder.gate.clear()
    for number in range(10):
        turns.submit(update(number, key=str(number)))
    await recorder.until(lambda r: len(r.batches) == 10)
    assert recorder.most_running == 10
    recorder.gate.set()


async def test_what_waited_through_a_restart_is_answered_at_once(recorder: Recorder) -> None:
    turns = build(recorder, BatchRules(delay=60, max_delay=60))
    turns.submit(update(1, age=100))
    await recorder.until(lambda r: len(r.batches) == 1)


async def test_a_flood_becomes_one_turn(recorder: Recorder) -> None:
    turns = build(recorder)
    for number in range(40):
        turns.submit(update(number, sent=SENT + timedelta(milliseconds=50 * number)))
    await recorder.until(lambda r: len(r.batches) == 1)
    assert recorder.batches[0].flood
    assert len(recorder.batches[0].items) == 40


async def test_a_very_long_queue_loses_nothing(recorder: Recorder) -> None:
    turns = build(recorder)
    for number in range(1_000):
        turns.submit(update(number))
    await recorder.until(lambda r: sum(len(b.items) for b in r.batches) == 1_000)
    assert [n for batch in recorder.ids() for n in batch] == list(range(1_000))
    assert turns.depth == 0 or len(recorder.batches) == 10


async def test_a_failing_turn_is_tried_again_then_given_up_and_the_next_goes_on(
    recorder: Recorder,
) -> None:
    turns = build(recorder)
    recorder.errors = [ValueError("bug")] * 3
    turns.submit(update(1))
    turns.submit(update(2, UpdateKind.COMMAND))
    await recorder.until(lambda r: len(r.batches) == 4)
    assert recorder.given_up == [1]
    assert recorder.ids() == [[1], [1], [1], [2]]


async def test_a_poisonous_message_does_not_take_its_batch_with_it(recorder: Recorder) -> None:
    turns = build(recorder)
    recorder.errors = [ValueError("bug")] * 3
    turns.submit(update(1))
    turns.submit(update(2))
    await recorder.until(lambda r: len(r.batches) == 4)
    assert recorder.given_up == [1]
    assert recorder.ids() == [[1, 2], [1], [1], [2]]


async def test_a_store_that_is_away_costs_no_attempt(recorder: Recorder) -> None:
    turns = build(recorder)
    recorder.errors = [StoreUnavailable("away") for _ in range(7)]
    turns.submit(update(1))
    await recorder.until(lambda r: len(r.batches) == 8)
    assert recorder.given_up == []


async def test_deliveries_run_without_a_new_message(recorder: Recorder) -> None:
    turns = build(recorder)
    turns.deliver("1")
    turns.deliver_at("2", 0.01)
    await recorder.until(lambda r: sorted(r.delivered) == ["1", "2"])


async def test_stop_lets_a_running_turn_end(recorder: Recorder) -> None:
    turns = build(recorder)
    recorder.gate.clear()
    turns.submit(update(1))
    await recorder.until(lambda r: len(r.batches) == 1)
    stopping = asyncio.create_task(turns.stop(grace=5))
    recorder.gate.set()
    await stopping
    assert recorder.running == 0
    assert turns.depth == 0


async def test_an_update_that_comes_twice_stands_in_the_queue_once(recorder: Recorder) -> None:
    turns = build(recorder)
    for number in (1, 1, 2, 1):
        turns.submit(update(number))
    await recorder.until(lambda r: len(r.batches) == 1)
    assert recorder.ids() == [[1, 2]]


async def test_stop_does_not_wait_for_a_pause(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns_module, "RETRY_PAUSE_SECS", 60.0)
    monkeypatch.setattr(turns_module, "MAX_RETRY_PAUSE_SECS", 60.0)
    turns = build(recorder)
    recorder.errors = [StoreUnavailable("away")]
    turns.submit(update(1))
    await recorder.until(lambda r: len(r.batches) == 1)
    async with asyncio.timeout(5):
        await turns.stop(grace=30)
