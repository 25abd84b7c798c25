"""The rules of the machine, and what must be true after each of them."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from copy import deepcopy
from datetime import timedelta
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from app.domain.conversation import Message
from app.domain.job import JobKind
from app.domain.profile import Profile
from app.memory.evidence import is_evidence
from app.memory.normalise import words
from tests.contract.memory_machine import acts
from tests.contract.memory_machine.acts import Act
from tests.contract.memory_machine.answers import Answer, Verdict
from tests.contract.memory_machine.faults import Killed, Moment
from tests.contract.memory_machine.house import House
from tests.contract.memory_machine.sayings import FACTS, tell_tale

ANA, BEN = 7, 8
PEOPLE = (ANA, BEN)
people = st.sampled_from((ANA, ANA, BEN))


class MemoryMachine(RuleBasedStateMachine):
    """Two people, one house; anything may happen in any order, alone, interleaved or half."""

    totals: ClassVar[Counter[str]] = Counter()

    @initialize()
    def begin(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.house = House()
        self.acting: set[int] = set()
        self.unmoved: dict[int, Any] = {}
        self.run(self.house.start())
        for who, fact in zip(PEOPLE, FACTS, strict=False):
            self.happens(who, acts.tells(fact))

    def run(self, deed: Coroutine[Any, Any, None]) -> None:
        self.loop.run_until_complete(deed)

    def happens(self, who: int, act: Act) -> None:
        """An act from beginning to end, however often the process ends on the way."""
        self.acting.add(who)
        self.house.ledger.seen[who] = set()
        with suppress(Killed):
            self.run(act.deed(self.house, who))
        if self.house.faults.dead:
            self.run(self.house.restart())
        self.house.faults.dies_at = None
        self.house.faults.meanwhile = None
        now = tell_tale(*(r.text for r in self.profile(who).records))
        missing = set(act.firm) - now - self.house.ledger.seen[who]
        assert not missing, f"said and not remembered: {missing}"
        self.house.ledger.happened["told"] += len(act.firm)

    def profile(self, who: int) -> Profile:
        return self.loop.run_until_complete(self.house.profile(who))

    @rule(who=people, act=acts.talking)
    def talks(self, who: int, act: Act) -> None:
        self.happens(who, act)

    @rule(who=people, act=acts.correcting)
    def corrects(self, who: int, act: Act) -> None:
        self.happens(who, act)

    @rule(who=people, act=acts.working)
    def works(self, who: int, act: Act) -> None:
        self.happens(who, act)

    @rule(who=people, act=acts.again)
    def works_again(self, who: int, act: Act) -> None:
        self.happens(who, act)

    @rule(
        who=people,
        first=acts.acts,
        other=people,
        second=acts.acts | st.just(acts.resets()),
        moment=st.sampled_from(("model", "commit")),
    )
    def comes_between(self, who: int, first: Act, other: int, second: Act, moment: Moment) -> None:
        """One decides on what it has read while another commits."""
        if first.turn and second.turn and who == other:
            second = acts.works(Answer())
        self.acting.add(other)
        self.house.faults.moment = moment

        async def meanwhile() -> None:
            self.house.ledger.happened["between"] += 1
            await second.deed(self.house, other)

        self.house.faults.meanwhile = meanwhile
        self.happens(who, first._replace(firm=() if second.name == "resets" else first.firm))

    @rule(who=people, act=acts.acts, at=st.integers(0, 24))
    def crashes(self, who: int, act: Act, at: int) -> None:
        """The process ends before or after one of an act's writes."""
        self.house.faults.dies_at = at
        self.happens(who, act)

    @rule(minutes=st.sampled_from((5, 5, 40, 600, 3_000)))
    def time_passes(self, minutes: int) -> None:
        self.house.clock.at += timedelta(minutes=minutes)
        self.acting.update(PEOPLE)
        self.run(self.house.scan())

    @invariant()
    def nothing_is_wrong(self) -> None:
        if not hasattr(self, "house"):
            return
        assert not self.house.ledger.problems, self.house.ledger.problems
        assert not self.house.escaped, self.house.escaped
        for who in PEOPLE:
            self._check(who)
        self.acting = set()

    def _check(self, who: int) -> None:
        document = self.house.raw["user_profiles"].find_one({"_id": who})
        if who not in self.acting:
            assert document == self.unmoved[who], "the other's memory changed"
        self.unmoved[who] = deepcopy(document)
        profile = self.profile(who)
        assert profile.generation == self.house.ledger.generations[who]
        messages = self.loop.run_until_complete(self.house.messages(who))
        self._check_evidence(profile, messages)
        self._check_effects(profile)

    def _check_evidence(self, profile: Profile, messages: dict[int, Message]) -> None:
        """Each record's words stand where it says, unless an edit is still to be judged."""
        edited = self._edits_to_judge(profile.subject)
        for record in profile.records:
            cited = []
            for span in record.evidence:
                message = messages.get(span.seq)
                assert message is not None, "evidence in a message that isn't there"
                assert is_evidence(message), "evidence nobody typed"
                assert span.conversation == str(profile.subject)
                source = message.content.encode()
                cited.append(message.content)
                stands = (
                    _digest(source) == span.source_digest
                    and _digest(source[span.start : span.end]) == span.excerpt_digest
                    and source[span.start : span.end].decode() == span.quote
                )
                assert stands or span.seq in edited, f"evidence gone: {record.text}"
            said = {word for content in cited for word in words(content)}
            if not edited & {span.seq for span in record.evidence}:
                untouched = not any(message.edited_at for message in messages.values())
                unsaid = tell_tale(record.text if untouched else None, record.value) - said
                assert not unsaid, f"nobody said {unsaid}: {record.text} on {cited}"
                assert "zorro" not in words(record.text)

    def _edits_to_judge(self, who: int) -> set[int]:
        rows = self.house.raw["jobs"].find(
            {"subject": who, "kind": JobKind.EXTRACT_RANGE.value, "status": {"$ne": "done"}}
        )
        return {row["args"]["from_seq"] for row in rows if row["args"].get("edited")}

    def _check_effects(self, profile: Profile) -> None:
        """Whatever a commit owed is owed still or written, as it was owed."""
        pending = {effect.id for effect in profile.pending_effects}
        for effect in self.house.ledger.owed.values():
            if effect.row["subject"] == profile.subject and effect.id not in pending:
                row = self.house.raw[effect.collection].find_one({"_id": effect.id})
                assert row == {"_id": effect.id, **effect.row}, "a row was lost"

    def teardown(self) -> None:
        if not hasattr(self, "house"):
            return
        try:
            self._settle()
        finally:
            self.run(self.house.stop())
            self.loop.close()
            happened = self.house.ledger.happened
            happened["crashes"] += self.house.crashes
            happened["races"] += self.house.metrics.value("memory.races")
            MemoryMachine.totals += happened

    def _settle(self) -> None:
        """Everything that is due is done; then nothing may be owed or in doubt."""
        kept = acts.works_off(Answer(verdicts=(Verdict.KEPT,)))
        for _ in range(12):
            self.house.clock.at += timedelta(hours=7)
            for who in PEOPLE:
                self.happens(who, kept)
        self.nothing_is_wrong()
        for who in PEOPLE:
            assert self._edits_to_judge(who) == set()
            assert self.profile(who).pending_effects == ()


def _digest(source: bytes) -> str:
    return hashlib.sha256(source).hexdigest()
