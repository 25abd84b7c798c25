"""Changes to memory by the person's own hand: a tap on Undo, a tap on how to be addressed."""

from __future__ import annotations

from app.database.archive import ArchiveStore
from app.database.profiles import ProfileStore
from app.domain.conversation import Conversation
from app.domain.outcome import Outcome, OutcomeKind, Reason
from app.domain.profile import Profile
from app.domain.record import Record, Trait
from app.memory.draft import Draft
from app.memory.effects import owed_archive
from app.memory.ground import Ground
from app.memory.traits import GENDERS
from app.memory.undo import undo
from app.services import texts
from app.services.memory_commit import MemoryCommit

UNDO = "undo:"
GENDER = "gender:"


class MemoryHand:
    """Answers the buttons that change memory; each answer is one line for the person."""

    def __init__(self, profiles: ProfileStore, archive: ArchiveStore, commit: MemoryCommit) -> None:
        self._profiles = profiles
        self._archive = archive
        self._commit = commit

    async def press(self, subject: int, data: str, conversation: Conversation) -> str | None:
        """Do what a button says; None when it is no button of memory's."""
        if data.startswith(UNDO):
            return await self._undo(subject, data.removeprefix(UNDO), conversation)
        if data.startswith(GENDER):
            return await self._set_gender(subject, data.removeprefix(GENDER))
        return None

    async def _undo(self, subject: int, outcome_id: str, conversation: Conversation) -> str:
        profile = await self._profiles.read(subject)
        outcome = _outcome(profile, outcome_id)
        if profile is None or outcome is None:
            return texts.UNDO_TOO_LATE
        before = await self._before(profile, outcome)

        def plan(draft: Draft) -> Outcome | None:
            known = _outcome(draft.profile, outcome_id)
            ground = Ground(
                subject=subject,
                epoch=draft.profile.epoch,
                conversation=conversation.key,
                messages={message.seq: message for message in conversation.messages},
                now=draft.now,
            )
            return undo(draft, known, before, ground) if known else None

        committed = await self._commit.apply(profile, plan)
        if committed.value is None:
            return texts.UNDO_TOO_LATE
        return texts.undone(before.text if before else None)

    async def _before(self, profile: Profile, outcome: Outcome) -> Record | None:
        """The record that an outcome replaced, from the archive or from what it is still owed."""
        if outcome.kind is OutcomeKind.ADD:
            return None
        old = outcome.replaced[0] if outcome.replaced else None
        stored = await self._archive.of_record(profile.subject, old) if old else []
        rows = [row for row in (*stored, *owed_archive(profile)) if row.record.id == old]
        return max(rows, key=lambda row: row.generation).record if rows else None

    async def _set_gender(self, subject: int, value: str) -> str:
        profile = await self._profiles.read(subject)
        if profile is None or (value and value not in GENDERS):
            return texts.GENDER_UNKNOWN

        def plan(draft: Draft) -> None:
            now = draft.now
            draft.traits["gender"] = Trait(value=value, updated_at=now) if value else None
            draft.touched = True
            draft.outcomes.append(
                Outcome(
                    kind=OutcomeKind.UPDATE,
                    reasons=(Reason.EXPLICIT_CORRECTION,),
                    text=value,
                    record="gender",
                    source="request",
                    at=now,
                )
            )

        await self._commit.apply(profile, plan)
        return texts.gender_set(value)


def _outcome(profile: Profile | None, outcome_id: str) -> Outcome | None:
    recent = profile.recent_outcomes if profile else ()
    return next((outcome for outcome in recent if outcome.id == outcome_id), None)
