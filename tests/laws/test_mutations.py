"""A broken fold is noticed: each mutation by a law, by a situation in small, and by a worked case."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, Phase, settings

from answers import Answers
from histories import events_of
from laws import test_answers, test_order, test_time
from mutations import MUTATIONS
from situations import SITUATIONS, history, plane
from worked_cases import ABSENT, worked_cases

TRIED = settings(
    max_examples=400,
    phases=(Phase.generate,),
    database=None,
    deadline=None,
    derandomize=True,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)
"""Enough to see a law fail once; nobody reads the example."""

NOTICED_BY: dict[str, Callable[[], None]] = {
    "a close takes the record time of its instant": test_answers.test_law_05_oracle,
    "a late close reaches back to earlier record times": test_time.test_law_02_the_past_is_immutable,
    "closes are applied after everything": test_time.test_law_02_the_past_is_immutable,
    "a close hits what is recorded after it": (
        test_time.test_law_16_assert_close_assert_again_equals_the_single_assert
    ),
    "a close ignores the object it names": test_answers.test_law_05_oracle,
    "retractions are skipped": test_time.test_law_14_retract_right_after_is_never_having_asserted,
    "a tie is broken by arrival": test_order.test_law_03_reading_order,
    "an end that a claim gives is forgotten": (test_answers.test_law_11_no_invention_and_never_known_before_recorded),
    "an open claim resumes after a bounded one": test_answers.test_law_05_oracle,
    "noted masks asserted": test_time.test_law_15_noted_events_never_change_what_the_asserted_layer_answers,
    "a note may follow a statement from before its end": test_answers.test_law_05_oracle,
    "the first observation is forgotten": test_answers.test_law_05_oracle,
    "a withdrawal of one note hits another": test_answers.test_law_05_oracle,
    "many values are folded as one": (
        test_answers.test_law_19_a_many_valued_predicate_answers_the_union_of_its_sub_slots
    ),
    "scopes are one": test_order.test_law_09_slot_independence,
    "the source has no rank": test_answers.test_law_05_oracle,
}

each_mutation = pytest.mark.parametrize("name", MUTATIONS)


@each_mutation
def test_a_law_notices(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    law = NOTICED_BY[name]
    monkeypatch.setattr(law, "_hypothesis_internal_use_settings", TRIED)
    MUTATIONS[name](monkeypatch)
    with pytest.raises(AssertionError):
        law()


@each_mutation
def test_a_situation_notices(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    MUTATIONS[name](monkeypatch)
    arrivals = [(history(lines)[::step], beliefs) for lines, beliefs in SITUATIONS.values() for step in (1, -1)]
    assert any(plane(events) != beliefs for events, beliefs in arrivals)


@pytest.mark.skipif(not worked_cases(), reason=ABSENT)
@each_mutation
def test_a_worked_case_notices(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    MUTATIONS[name](monkeypatch)
    for case in worked_cases():
        for step in (1, -1):
            answers = Answers(events_of(case.sound)[::step])
            if any(answers.texts(q.slot, q.v, q.k) != q.expect for q in case.questions):
                return
    pytest.fail("every worked case is still answered right")
