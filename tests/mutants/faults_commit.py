"""Faults in how memory is written: the commit, the jobs around it, what it owes."""

from __future__ import annotations

from tests.mutants.fault import Fault

_JOBS = "tests/contract/test_memory_jobs.py::"
_RANGES = "tests/contract/test_parked_ranges.py::"
_RESET = "tests/contract/test_turn_facts.py::test_memory_that_was_reset_meanwhile_stays_empty"
_RELAY = f"{_JOBS}test_effects_are_carried_out_once_wherever_the_relay_dies"

COMMIT = (
    Fault(
        name="generation-not-compared",
        file="app/database/profiles.py",
        old='                    "generation": _or_missing(before.generation),\n',
        new="",
        guard=(f"{_JOBS}test_two_writers_lose_nothing",),
        breaks="Of two writers the second wipes what the first one wrote.",
    ),
    Fault(
        name="epoch-not-compared",
        file="app/database/profiles.py",
        old='                    "epoch": _or_missing(before.epoch),\n',
        new="",
        guard=(_RESET,),
        breaks="Who read the memory before a reset writes it back afterwards.",
    ),
    Fault(
        name="reset-not-noticed",
        file="app/services/memory_commit.py",
        old="if fresh is None or fresh.epoch != profile.epoch:",
        new="if fresh is None:",
        guard=(_RESET,),
        breaks="Words from before a reset are planned again on the empty memory and come back.",
    ),
    Fault(
        name="race-not-planned-again",
        file="app/services/memory_commit.py",
        old="draft = Draft(current, now, self._limits)",
        new="draft = Draft(profile, now, self._limits)",
        guard=(f"{_JOBS}test_two_writers_lose_nothing",),
        breaks="Who loses a race writes what was true before it over what is true now.",
    ),
    Fault(
        name="commit-reported-though-lost",
        file="app/database/profiles.py",
        old="return bool(result.matched_count)",
        new="return result is not None",
        guard=(f"{_JOBS}test_two_writers_lose_nothing",),
        breaks="A commit that matched nothing counts as made: what was said is lost.",
    ),
    Fault(
        name="second-writer",
        file="app/database/profiles.py",
        old='{\n                    "$set": {"last_interaction_at": now},',
        new='{\n                    "$set": {"last_interaction_at": now, "mood_history": []},',
        guard=(
            "tests/security/test_one_writer.py::"
            "test_on_the_wire_memory_changes_only_by_compare_and_set",
        ),
        breaks="Memory is written past the one writer, without compare-and-set.",
    ),
    Fault(
        name="effects-dropped",
        file="app/database/profiles.py",
        old='            change["$push"] = {"pending_effects"',
        new='            change["$push"] = {"effects_lost"',
        guard=(_RELAY,),
        breaks="What a commit replaces or evicts never reaches the archive: it is destroyed.",
    ),
    Fault(
        name="effects-not-written",
        file="app/services/effects_relay.py",
        old="        await self._effects.carry_out(profile.pending_effects)\n",
        new="",
        guard=(_RELAY,),
        breaks="Rows are taken off the list of what is owed, and nobody has written them.",
    ),
    Fault(
        name="effects-paid-before-written",
        file="app/services/effects_relay.py",
        old="        await self._effects.carry_out(profile.pending_effects)\n"
        "        await self._profiles.paid(job.subject, "
        "[effect.id for effect in profile.pending_effects])\n",
        new="        await self._profiles.paid(job.subject, "
        "[effect.id for effect in profile.pending_effects])\n"
        "        await self._effects.carry_out(profile.pending_effects)\n",
        guard=(_RELAY,),
        breaks="A crash between the two loses rows that are owed to the archive.",
    ),
    Fault(
        name="effects-never-due",
        file="app/database/profiles.py",
        old='"effects_due_at": now}',
        new='"effects_due_at": None}',
        guard=(_RELAY,),
        breaks="What is owed when the process dies is never looked for again.",
    ),
    Fault(
        name="work-not-done-once",
        file="app/memory/draft.py",
        old="if key in self.applied:",
        new="if key in ():",
        guard=(f"{_RANGES}test_two_runs_of_one_range_at_once_are_one",),
        breaks="A job that runs twice changes memory twice: its key says nothing any more.",
    ),
    Fault(
        name="applied-range-read-again",
        file="app/services/memory_extractor.py",
        old="if conversation is None or profile is None or job.id in profile.applied:",
        new="if conversation is None or profile is None:",
        guard=(f"{_RANGES}test_a_range_that_is_done_is_not_read_again_after_a_crash",),
        breaks="A parked range that is done is sent to the model again after a crash.",
    ),
    Fault(
        name="watermark-not-kept",
        file="app/services/memory_extractor.py",
        old="draft.take(read, self._ground(draft, portion, key))\n"
        "                draft.reached(key, extracted=portion.last)\n",
        new="draft.take(read, self._ground(draft, portion, key))\n",
        guard=(f"{_JOBS}test_a_crash_after_the_commit_reads_nothing_twice",),
        breaks="A crash after the commit has the same messages extracted twice.",
    ),
    Fault(
        name="watermark-not-read",
        file="app/memory/unextracted.py",
        old="return max(conversation.extracted_through, mark.extracted)",
        new="return max(conversation.extracted_through, 0 * mark.extracted)",
        guard=(f"{_JOBS}test_a_crash_after_the_commit_reads_nothing_twice",),
        breaks="The profile's watermark isn't believed: messages are extracted twice.",
    ),
    Fault(
        name="watermark-not-compared",
        file="app/services/memory_extractor.py",
        old="if draft.profile.watermarks.get(key, Watermark()).extracted < portion.last:",
        new="if draft.profile.watermarks.get(key, Watermark()).extracted < portion.last + 1:",
        guard=(f"{_JOBS}test_two_extractions_of_the_same_messages_are_one",),
        breaks="Two extractions of the same messages that end one after the other both count.",
    ),
    Fault(
        name="turn-heard-twice",
        file="app/services/turn_memory.py",
        old="if message.seq <= done:\n                    continue\n",
        new="if message.seq <= 0 * done:\n                    continue\n",
        guard=(f"{_JOBS}test_a_turn_that_is_run_again_hears_nothing_twice",),
        breaks="A turn that runs again after a crash carries out its requests a second time.",
    ),
    Fault(
        name="failed-extraction-lost",
        file="app/services/memory_extractor.py",
        old="                    await self._park(job, portion, profile, read)\n",
        new="                    pass\n",
        guard=(f"{_JOBS}test_what_no_model_could_read_is_put_aside_and_read_later",),
        breaks="The cursor passes over what no model could read: it is never extracted.",
    ),
    Fault(
        name="unanswered-extracted",
        file="app/services/memory_extractor.py",
        old="self._source.portion(conversation, after, conversation.answered_through)",
        new="self._source.portion(conversation, after, conversation.next_seq)",
        guard=(f"{_JOBS}test_messages_not_answered_yet_are_left_for_later",),
        breaks="A message is read before its turn, whose edits and requests then come too late.",
    ),
    Fault(
        name="rest-of-range-lost",
        file="app/services/memory_extractor.py",
        old="if portion.last < last:",
        new="if portion.last > last:",
        guard=(f"{_RANGES}test_the_rest_of_a_long_range_is_read_later_and_nothing_twice",),
        breaks="What doesn't fit one call of a parked range is never read.",
    ),
    Fault(
        name="job-lease-not-compared",
        file="app/database/jobs.py",
        old='        "lease.fence": job.lease.fence,\n',
        new="",
        guard=(
            "tests/contract/test_jobs.py::"
            "test_done_work_can_be_asked_for_anew_and_its_old_worker_has_no_say",
        ),
        breaks="A worker that lost its job settles it over the one that has it now.",
    ),
    Fault(
        name="again-forgotten",
        file="app/database/jobs.py",
        old='{**_held(job), "again": {"$ne": True}}',
        new="_held(job)",
        guard=("tests/contract/test_jobs.py::test_work_asked_for_during_a_run_runs_once_more",),
        breaks="Work that is asked for while it runs is taken for done and never comes.",
    ),
    Fault(
        name="database-not-synced",
        file="app/database/embedded/daemon.py",
        old='"--sync-on-commit", ',
        new="",
        guard=(
            "tests/contract/test_embedded.py::"
            "test_a_killed_daemon_comes_back_with_all_it_acknowledged",
        ),
        breaks="The embedded database loses what it acknowledged when it is killed.",
    ),
)
