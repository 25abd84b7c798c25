"""The small print is said seldom and only where it belongs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.inbox import Incoming, UpdateKind
from app.services import notices, texts

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def incoming(**fields: object) -> Incoming:
    base = {"update_id": 3, "kind": UpdateKind.MESSAGE, "chat_id": 7, "telegram_message_id": 11}
    return Incoming.model_validate({**base, **fields})


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (None, True),
        (NOW - timedelta(hours=23, minutes=59), False),
        (NOW - timedelta(hours=24), True),
    ],
)
def test_a_stranger_gets_one_line_a_day(last: datetime | None, said: bool) -> None:
    given = {"stranger": last} if last else {}
    notice = notices.for_stranger(given, incoming(), NOW)
    assert [row.parts[0].text for row in notice.rows] == ([texts.STRANGER] if said else [])
    assert notice.given == ({"stranger": NOW} if said else {})


def test_a_stranger_in_a_group_gets_silence() -> None:
    assert notices.for_stranger({}, incoming(chat_kind="group"), NOW).rows == ()


def test_a_sticker_gets_its_own_emoji_as_a_reaction() -> None:
    (row,) = notices.for_media({}, [incoming(media="sticker", text="❤️")], NOW).rows
    assert (row.kind, row.reaction, row.reply_to) == ("reaction", "❤", 11)


@pytest.mark.parametrize("emoji", ["", "🪗"])
def test_a_sticker_that_is_no_reaction_gets_nothing(emoji: str) -> None:
    assert notices.for_media({}, [incoming(media="sticker", text=emoji)], NOW).rows == ()


@pytest.mark.parametrize(
    ("last", "said"), [(None, True), (NOW - timedelta(hours=1), False), (NOW, False)]
)
def test_unreadable_media_get_one_line_a_day(last: datetime | None, said: bool) -> None:
    given = {"media": last} if last else {}
    notice = notices.for_media(given, [incoming(media="other")], NOW)
    assert [row.parts[0].text for row in notice.rows] == ([texts.TEXT_ONLY] if said else [])


def test_unaddressed_media_in_a_group_get_nothing() -> None:
    media = incoming(media="other", addressed=False, chat_kind="group")
    assert notices.for_media({}, [media], NOW) == notices.Notice()


def test_a_flood_is_mentioned_once_an_episode() -> None:
    first = notices.for_flood({}, incoming(), NOW)
    assert [row.parts[0].text for row in first.rows] == [texts.FLOOD]
    assert notices.for_flood(first.given, incoming(), NOW + timedelta(minutes=9)).rows == ()
    assert notices.for_flood(first.given, incoming(), NOW + timedelta(minutes=10)).rows


def test_in_a_group_a_line_of_our_own_is_threaded() -> None:
    row = notices.text_row(incoming(chat_kind="group"), "hi", NOW)
    assert row.reply_to == 11
    assert notices.text_row(incoming(), "hi", NOW).reply_to is None
