"""Faults in the way of a message: intake, turns, delivery, the prompt, and who hears of it."""

from __future__ import annotations

from tests.mutants.fault import Fault

_RESTART = "tests/integration/test_restart.py::"
_CONVERSATIONS = "tests/contract/test_conversations.py::"
_BLOCK = "tests/unit/memory/test_memory_block.py::"
_CRASH = "tests/crash/test_crash_run.py::test_nothing_is_lost_wherever_the_bot_dies"

MESSAGE = (
    Fault(
        name="inbox-off",
        file="app/services/intake.py",
        old="if not await self._inbox.add(row):",
        new="if row.update_id < 0:",
        guard=(f"{_RESTART}test_a_reply_in_the_making_is_made_again_after_a_crash",),
        breaks="A message is handled without being stored: a crash loses it.",
    ),
    Fault(
        name="offset-not-held",
        file="app/transports/telegram/polling.py",
        old='            raise NetworkError("update not stored") from error\n',
        new="            return\n",
        guard=(f"{_RESTART}test_a_store_that_is_away_holds_the_offset",),
        breaks="Telegram is told that an update was received which was never stored.",
    ),
    Fault(
        name="waiting-not-recovered",
        file="app/services/intake.py",
        old="        for received in found:\n            self._submit(received)\n",
        new="",
        guard=(f"{_RESTART}test_a_reply_in_the_making_is_made_again_after_a_crash",),
        breaks="What was stored before a crash is never answered after it.",
    ),
    Fault(
        name="redelivered-accepted",
        file="app/database/inbox.py",
        old="            except DuplicateKey:\n                return False\n        return True\n",
        new="            except DuplicateKey:\n                return True\n        return True\n",
        guard=("tests/contract/test_inbox.py::test_an_update_is_stored_once",),
        breaks="An update that Telegram delivers twice counts as two.",
    ),
    Fault(
        name="ticked-off-first",
        file="app/services/turn_handler.py",
        old="        handled = set(conversation.handled)\n",
        new="        handled = set(conversation.handled)\n        await self._done(batch.items)\n",
        guard=(f"{_RESTART}test_a_reply_in_the_making_is_made_again_after_a_crash",),
        breaks="A message is ticked off before it is answered: a crash loses the answer.",
    ),
    Fault(
        name="handled-not-noted",
        file="app/services/turn_handler.py",
        old="handled=[i.update_id for i in fresh],",
        new="handled=[],",
        guard=(_CRASH,),
        breaks="A turn that is run again after a crash is answered again.",
        slow=True,
    ),
    Fault(
        name="reply-not-owed",
        file="app/services/turn_handler.py",
        old="            outbox=turn.rows,\n            answered_through",
        new="            outbox=(),\n            answered_through",
        guard=(f"{_RESTART}test_a_committed_reply_is_sent_after_a_crash_without_a_new_call",),
        breaks="A reply is sent without being stored first: a crash loses it.",
    ),
    Fault(
        name="sent-not-noted",
        file="app/services/delivery.py",
        old="        await self._settle("
        "grant, outbox, None, delivered=delivered, release=True)\n\n",
        new="        await self._store.release(grant)\n\n",
        guard=(
            "tests/integration/test_conversation.py::test_a_message_gets_one_reply_from_one_call",
        ),
        breaks="What was sent isn't noted as sent: it is sent again and again.",
    ),
    Fault(
        name="order-lost",
        file="app/database/inbox.py",
        old='cursor = self._rows.find(wanted).sort("order", 1)',
        new='cursor = self._rows.find(wanted).sort("order", -1)',
        guard=("tests/contract/test_inbox.py::test_waiting_rows_come_in_order_of_receipt",),
        breaks="After a crash messages are answered in another order than they came.",
    ),
    Fault(
        name="lease-not-fenced",
        file="app/database/conversations.py",
        old='{"_id": self.key, "lease.owner": self.owner, "lease.fence": self.fence}',
        new='{"_id": self.key}',
        guard=(f"{_CONVERSATIONS}test_a_worker_that_lost_its_lease_writes_nothing",),
        breaks="Two processes on one database answer the same message.",
    ),
    Fault(
        name="trimmed-before-archived",
        file="app/services/turn_handler.py",
        old="stored = await self._segments.add(current.key, leaving, self._clock.now())",
        new="stored = leaving[-1].seq",
        guard=(
            "tests/integration/test_window.py::"
            "test_what_leaves_the_window_is_in_the_segments_once_and_nothing_is_missing",
        ),
        breaks="What leaves the window is nowhere else: messages are lost.",
    ),
    Fault(
        name="strangers-answered",
        file="app/services/turn_handler.py",
        old="served = [i for i in fresh if self._access.allows(i.sender_id)]",
        new="served = list(fresh)",
        guard=(
            "tests/integration/test_access.py::"
            "test_a_stranger_gets_one_line_a_day_and_costs_no_call",
        ),
        breaks="The bot talks to people its owner never let in.",
    ),
    Fault(
        name="memory-fence-open",
        file="app/memory/memory_block.py",
        old="        flat = _FENCE.sub(",
        new="        _FENCE.sub(",
        guard=(
            f"{_BLOCK}test_texts_are_made_harmless",
            f"{_BLOCK}test_no_text_of_a_profile_closes_the_fence_or_starts_a_line",
        ),
        breaks="A remembered text can close the fence of the notes and speak as the program.",
    ),
    Fault(
        name="memory-not-called-data",
        file="app/memory/memory_block.py",
        old="lines = [OPEN, NOTE]",
        new="lines = [OPEN]",
        guard=(f"{_BLOCK}test_the_whole_block",),
        breaks="The model isn't told that notes are data and never instructions.",
    ),
    Fault(
        name="memory-rules-left-out",
        file="app/prompts/system_prompt.py",
        old="rules = [] if memory_block == MEMORY_UNAVAILABLE else [MEMORY_RULES]",
        new="rules: list[str] = []",
        guard=(
            "tests/unit/prompts/test_system_prompt.py::test_persona_comes_first_and_memory_last",
        ),
        breaks="The model isn't told to treat notes as data and to admit what it doesn't know.",
    ),
    Fault(
        name="notes-fence-open",
        file="app/prompts/memory/extraction.py",
        old="{one_line(record.text)}{slot}",
        new="{record.text}{slot}",
        guard=(
            "tests/unit/prompts/memory/test_extraction.py::"
            "test_no_note_closes_the_fence_of_the_notes",
        ),
        breaks="A remembered text can close the notes and speak to the extractor as the program.",
    ),
    Fault(
        name="transcript-fence-open",
        file="app/prompts/memory/transcript.py",
        old='message.content.replace(CLOSE, "(/transcript)").replace(OPEN, "(transcript)")',
        new="message.content",
        guard=(
            "tests/unit/prompts/memory/test_extraction.py::"
            "test_the_prompt_has_date_notes_and_a_fenced_transcript",
        ),
        breaks="A message can close the transcript and speak to the extractor as the program.",
    ),
    Fault(
        name="transcript-line-forged",
        file="app/prompts/memory/transcript.py",
        old='content = content.replace("\\n", "\\n    ")',
        new='content = content.replace("\\r", "\\n    ")',
        guard=(
            "tests/unit/prompts/memory/test_extraction.py::"
            "test_a_message_cannot_write_a_line_of_the_transcript",
        ),
        breaks="A forwarded text can pose as a line that the person typed.",
    ),
    Fault(
        name="context-fence-open",
        file="app/prompts/system_prompt.py",
        old='if "context>" in content:',
        new='if "context>" in message.role:',
        guard=(
            "tests/unit/prompts/test_system_prompt.py::test_a_person_cannot_write_the_programs_fence",
        ),
        breaks="A message can pose as the program's own notes on the time.",
    ),
    Fault(
        name="private-told-elsewhere",
        file="app/memory/memory_block.py",
        old="if own or (r.scope == scope and _open(r))]",
        new="if own or _open(r)]",
        guard=(f"{_BLOCK}test_elsewhere_only_what_was_learned_there_is_told_and_nothing_delicate",),
        breaks="What one person said in private is told in a group.",
    ),
    Fault(
        name="words-logged",
        file="app/services/turns.py",
        old='logger.opt(exception=error).error("turn failed: {}", type(error).__name__)',
        new='logger.error("turn failed: {} {}", error, batch.items)',
        guard=(
            "tests/security/test_log_canaries.py::"
            "test_a_conversation_with_everything_going_wrong_leaks_nothing",
        ),
        breaks="What people say stands in the log.",
    ),
    Fault(
        name="index-missing",
        file="app/database/profiles.py",
        old='    Index([("effects_due_at", 1)]),\n',
        new="",
        guard=("tests/security/test_indexes.py::test_every_query_of_every_store_has_an_index",),
        breaks="A query that no index serves gets slower with each person.",
    ),
)
