"""Faults in compression, consolidation and the budget: what a model's review may do to memory."""

from __future__ import annotations

from tests.mutants.fault import Fault

_ACCOUNTING = "tests/unit/memory/test_accounting.py::"
_REVIEWING = "tests/unit/memory/test_reviewing.py::"
_FAILED = (
    "tests/contract/test_memory_reviews.py::test_a_review_that_fails_changes_nothing_and_stays_due"
)
_BUDGET = "tests/unit/memory/test_budget.py::"

REVIEW = (
    Fault(
        name="silence-drops",
        file="app/memory/accounting.py",
        old="if item in dropped:",
        new="if item in dropped or item not in verdicts:",
        guard=(
            f"{_ACCOUNTING}test_what_no_verdict_names_is_kept",
            f"{_REVIEWING}test_what_the_account_is_silent_about_stays_as_it_is",
        ),
        breaks="Items that a model doesn't account for are lost in compression and consolidation.",
    ),
    Fault(
        name="empty-account-taken",
        file="app/memory/accounting.py",
        old="if known and not any(verdict.id in known for verdict in account.verdicts):",
        new="if known and account.verdicts is None:",
        guard=(f"{_REVIEWING}test_a_refused_account_changes_nothing_at_all",),
        breaks="An answer that names no item counts as a review, and its summary replaces the old.",
    ),
    Fault(
        name="drops-without-limit",
        file="app/memory/accounting.py",
        old="len(unwanted) > max_dropped_share * len(known) or ",
        new="",
        guard=(
            f"{_ACCOUNTING}test_an_account_that_loses_too_much_is_refused",
            f"{_REVIEWING}test_a_refused_account_changes_nothing_at_all",
        ),
        breaks="A model may drop more than three items of ten at once.",
    ),
    Fault(
        name="drops-everything",
        file="app/memory/accounting.py",
        old=" or len(unwanted) == len(known)):",
        new="):",
        guard=(f"{_ACCOUNTING}test_everything_is_too_much_whatever_the_share",),
        breaks="A model may empty a small memory.",
    ),
    Fault(
        name="pinned-dropped",
        file="app/memory/accounting.py",
        old="if r.pinned or r.significance is Significance.MAJOR}",
        new="if r.significance is Significance.MAJOR}",
        guard=(
            f"{_ACCOUNTING}test_pinned_and_major_items_are_never_dropped",
            f"{_REVIEWING}test_pinned_and_major_ones_stay_whatever_the_model_says",
        ),
        breaks="A model drops what the person pinned.",
    ),
    Fault(
        name="pinned-evicted",
        file="app/memory/budget.py",
        old="(record for record in records if not record.pinned), key",
        new="records, key",
        guard=(
            f"{_BUDGET}test_pinned_records_never_go",
            f"{_REVIEWING}test_what_does_not_fit_the_budget_goes_into_the_archive_and_pinned_stays",
        ),
        breaks="What the person pinned leaves when memory is full.",
    ),
    Fault(
        name="evicted-not-archived",
        file="app/memory/reviewing.py",
        old="draft.replace_records([r for r in draft.records if r.id not in leaving], gone)",
        new="draft.replace_records([r for r in draft.records if r.id not in leaving], ())",
        guard=(
            f"{_REVIEWING}test_what_does_not_fit_the_budget_goes_into_the_archive_and_pinned_stays",
        ),
        breaks="Evicted memory is destroyed instead of archived.",
    ),
    Fault(
        name="dropped-not-archived",
        file="app/memory/reviewing.py",
        old="draft.replace_records(records, settled.ended)",
        new="draft.replace_records(records, ())",
        guard=(
            f"{_REVIEWING}test_three_of_ten_may_go_and_are_archived",
            f"{_REVIEWING}test_whatever_a_model_says_every_item_is_there_or_in_the_archive",
        ),
        breaks="What a model drops or merges is destroyed instead of archived.",
    ),
    Fault(
        name="rewrite-unchecked",
        file="app/memory/accounting.py",
        old="return text if _faithful(text, record, members) else record.text",
        new="return text or record.text",
        guard=(
            f"{_ACCOUNTING}test_new_words_that_invent_deny_or_lose_something_leave_the_old_ones",
        ),
        breaks="A model's new words may add, deny or lose what the person said.",
    ),
    Fault(
        name="merge-unchecked",
        file="app/memory/accounting.py",
        old="if not _carried(known[member], text)]",
        new="if not text]",
        guard=(f"{_ACCOUNTING}test_records_of_which_one_would_be_lost_stay_apart",),
        breaks="A model merges what says different things, and one of them is lost.",
    ),
    Fault(
        name="merged-into-dropped",
        file="app/memory/accounting.py",
        old="if into in known and into not in dropped}",
        new="if into in known}",
        guard=(f"{_ACCOUNTING}test_nothing_merges_into_what_is_dropped",),
        breaks="An item is merged into one that is dropped: both are gone.",
    ),
    Fault(
        name="changed-since-overwritten",
        file="app/memory/reviewing.py",
        old="if now_there.get(record.id) == record]",
        new="if record.id in now_there]",
        guard=(f"{_REVIEWING}test_what_is_new_or_changed_since_is_not_the_account_s_to_judge",),
        breaks="A review undoes what changed while the model was thinking.",
    ),
    Fault(
        name="failed-consolidation-counts",
        file="app/services/memory_consolidator.py",
        old="            raise account.of_job()",
        new="            return",
        guard=(_FAILED,),
        breaks="A consolidation that failed counts as done and isn't tried again.",
    ),
    Fault(
        name="refused-account-counts",
        file="app/services/memory_compressor.py",
        old="                if refused is not None:\n                    return refused\n",
        new="",
        guard=(_FAILED,),
        breaks="A compression that was refused counts as done: memory is evicted in its place.",
    ),
)
