"""Numbering, confirming and filtering updates."""

from __future__ import annotations

from app.playground.update_queue import Update, UpdateQueue


def filled(count: int) -> UpdateQueue:
    queue = UpdateQueue(next_id=10)
    for _ in range(count):
        queue.put("message", {})
    return queue


def ids(updates: list[Update]) -> list[int]:
    return [update.update_id for update in updates]


def test_unconfirmed_updates_are_read_again() -> None:
    queue = filled(3)
    assert ids(queue.read(100)) == ids(queue.read(100)) == [10, 11, 12]
    assert ids(queue.read(2)) == [10, 11]


def test_an_offset_forgets_what_lies_before_it() -> None:
    queue = filled(3)
    assert ids(queue.confirm(12)) == [10, 11]
    assert ids(queue.confirm(0)) == []
    assert ids(queue.read(100)) == [12]


def test_a_negative_offset_keeps_the_last() -> None:
    queue = filled(3)
    queue.confirm(-1)
    assert ids(queue.read(100)) == [12]


def test_a_negative_offset_larger_than_the_queue_keeps_all() -> None:
    queue = filled(2)
    queue.confirm(-5)
    assert len(queue.read(100)) == 2


def test_reactions_and_members_are_not_given_by_default() -> None:
    queue = UpdateQueue()
    assert queue.put("message_reaction", {}) is None
    assert queue.put("chat_member", {}) is None
    assert queue.put("my_chat_member", {}) is not None


def test_allowed_updates_hold_until_changed() -> None:
    queue = UpdateQueue()
    queue.remember(["message_reaction"])
    queue.remember(None)
    assert queue.put("message_reaction", {}) is not None
    assert queue.put("message", {}) is None
    queue.remember([])
    assert queue.put("message", {}) is not None
    assert queue.put("message_reaction", {}) is None


def test_ids_are_given_only_to_updates_that_exist() -> None:
    queue = UpdateQueue(next_id=1)
    queue.put("chat_member", {})
    update = queue.put("message", {})
    assert update is not None
    assert update.update_id == 1
