"""A broken observer is noticed: each mutation by a law."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from laws import test_observer as laws
from laws.test_mutations import TRIED
from observer_mutations import MUTATIONS

NOTICED_BY: dict[str, Callable[[], None]] = {
    "an edit takes the old value back": laws.test_what_is_believed_is_what_the_life_of_the_note_tells,
    "a withdrawal in a history takes back all of it": laws.test_what_is_believed_is_what_the_life_of_the_note_tells,
    "a value that returns begins anew": laws.test_a_note_that_is_gone_for_a_while_is_no_news,
    "what was said before is left behind": laws.test_a_note_that_moves_changes_no_belief,
    "what one note stops and another begins to say is news": (
        laws.test_nor_does_one_that_speaks_of_others_and_has_another_title
    ),
    "a value has again the start that it once had": laws.test_what_is_believed_is_what_the_life_of_the_note_tells,
    "the date of a note dates whatever is new": laws.test_the_date_of_a_note_dates_what_is_seen_with_it_first,
    "the date of a note dates nothing": laws.test_the_date_of_a_note_dates_what_is_seen_with_it_first,
    "another end is no news": laws.test_what_is_believed_is_what_the_life_of_the_note_tells,
    "a value has to say its start each time": laws.test_what_is_believed_is_what_the_life_of_the_note_tells,
    "another spelling is another value": laws.test_what_is_believed_is_what_the_life_of_the_note_tells,
    "a note that falls silent forgets": laws.test_a_note_that_is_gone_for_a_while_is_no_news,
    "the ledger counts as it arrives": laws.test_the_order_of_notes_and_of_lines_has_no_effect,
    "notes are looked at as they are given": laws.test_the_order_of_notes_and_of_lines_has_no_effect,
    "many values are withdrawn as one": laws.test_any_ledger_is_brought_to_what_notes_state_in_one_run,
    "withdrawals come last": laws.test_all_lines_of_a_run_have_its_instant_and_withdrawals_come_first,
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_law_notices(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    law = NOTICED_BY[name]
    monkeypatch.setattr(law, "_hypothesis_internal_use_settings", TRIED)
    MUTATIONS[name](monkeypatch)
    with pytest.raises(AssertionError):
        law()
