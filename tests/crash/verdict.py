"""What a crash run comes to, counted from Telegram's own ledger. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from app.playground.ledger import Entry
from tests.crash.points import Point
from tests.crash.script import TOKEN, Step


@dataclass(frozen=True)
class Verdict:
    """The line a crash run prints. `ambiguous_sends`: messages under way at a kill.

    `memory_differs` is 1 when memory is not what a run without kills makes of the same script.
    """

    messages: int
    kills: int
    database_kills: int
    points_total: int
    points_hit: int
    lost: int
    duplicate_replies: int
    ambiguous_sends: int
    out_of_order: int
    failures: int
    records: int = 0
    archived: int = 0
    unsupported: int = 0
    unread: int = 0
    memory_differs: int = 0

    def as_json(self) -> dict[str, int]:
        """The verdict as plain numbers."""
        return asdict(self)

    def problems(self) -> list[str]:
        """What must not be: nothing lost, nothing out of order, each duplicate explained."""
        found = []
        if self.lost:
            found.append(f"{self.lost} messages got no answer")
        if self.out_of_order:
            found.append(f"{self.out_of_order} answers out of order")
        if self.duplicate_replies > self.ambiguous_sends:
            found.append(
                f"{self.duplicate_replies} duplicates, but only {self.ambiguous_sends} "
                "kills between Telegram's acceptance and our mark"
            )
        if self.failures:
            found.append(f"the bot ended by itself {self.failures} times")
        if self.unsupported:
            found.append(f"{self.unsupported} records whose words aren't in the stored messages")
        if self.unread:
            found.append(f"{self.unread} messages never read for memory")
        if self.memory_differs:
            found.append("memory differs from that of a run without kills")
        return found


def lost_tokens(steps: Sequence[Step], sent: Iterable[Entry]) -> list[str]:
    """Tokens that no message of the bot repeats; commands count by their answers."""
    answered = {token for entry in sent for token in TOKEN.findall(entry.text)}
    return [token for step in steps for token in step.tokens if token not in answered]


def lost_commands(steps: Sequence[Step], sent: Iterable[Entry], answer: str) -> int:
    """Commands without an answer of their own."""
    asked = sum(step.kind == "command" for step in steps)
    return max(0, asked - sum(entry.text == answer for entry in sent))


def duplicates(sent: Iterable[Entry], command_answer: str, commands: int) -> int:
    """Messages of the bot that say again what it had said to the same chat."""
    counts: Counter[tuple[int | None, str]] = Counter(
        (entry.chat_id, entry.text) for entry in sent if entry.text != command_answer
    )
    again = sum(count - 1 for count in counts.values())
    repeated = sum(entry.text == command_answer for entry in sent) - commands
    return again + max(0, repeated)


def out_of_order(sent: Iterable[Entry]) -> int:
    """First answers that came before the first answer to something written earlier."""
    seen: dict[int | None, list[int]] = defaultdict(list)
    wrong = 0
    for entry in sent:
        for token in TOKEN.findall(entry.text):
            number, earlier = int(token[1:]), seen[entry.chat_id]
            if number in earlier:
                continue
            wrong += bool(earlier and number < max(earlier))
            earlier.append(number)
    return wrong


def between_acceptance_and_mark(points: Iterable[Point]) -> int:
    """Messages that Telegram may have taken when a life ended before it was noted."""
    return sum(point.open_sends for point in points)
