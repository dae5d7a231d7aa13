"""What one record instant did to a slot has one name, whatever the database calls its rows."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from loreweave.reports.changes import Change, Happened, Held, changes, values_at


def day(number: int) -> datetime:
    return datetime(2024, 1, number, tzinfo=UTC)


def held(event: str, value: str, start: int, end: int | None = None, many: bool = False, **more: object) -> Held:
    given = {"source": "stated", "known_from": day(1), "known_until": None, "ended_by": None, **more}
    until = None if end is None else day(end)
    return Held(
        object=value,
        object_key=value,
        valid_from=day(start),
        valid_until=until,
        event_id=event,
        path="lore/journal/a.md",
        line=1,
        many=many,
        **given,  # type: ignore[arg-type]
    )


def happened(event: str, kind: str = "FactAsserted", value: str | None = None, many: bool = False) -> Happened:
    rest = (None, None, day(1), "stated", 1.0, many, None, None, None, "lore/journal/a.md", 1)
    return Happened(event, kind, value, value, *rest)


def words(*found: Change) -> list[tuple[str, str]]:
    return [(change.change, change.object) for change in found]


@pytest.mark.parametrize(
    ("ended", "began", "causes", "told"),
    [
        ([], [held("n", "good", 1)], [happened("n")], [("began", "good")]),
        ([], [held("o", "good", 1)], [happened("r", "FactRetracted")], [("returned", "good")]),
        ([held("o", "fair", 1)], [held("n", "good", 1)], [happened("n")], [("corrected", "good")]),
        ([held("o", "good", 1)], [held("n", "good", 1)], [happened("n")], [("restated", "good")]),
        (
            [held("o", "good", 1)],
            [held("o", "good", 1, 5, ended_by="c")],
            [happened("c", "FactInvalidated")],
            [("closed", "good")],
        ),
        (
            [held("o", "draft", 1)],
            [held("o", "draft", 1, 5, ended_by="n"), held("n", "final", 5)],
            [happened("n")],
            [("superseded", "draft"), ("began", "final")],
        ),
        (
            [held("o", "noted", 1, source="extracted")],
            [held("o", "noted", 1, 5, ended_by="n", source="extracted"), held("n", "stated", 5)],
            [happened("n")],
            [("masked", "noted"), ("began", "stated")],
        ),
        ([held("o", "good", 1, 5)], [held("o", "good", 1)], [happened("r", "FactRetracted")], [("extended", "good")]),
        (
            [held("o", "good", 1, 9)],
            [held("o", "good", 1, 3), held("n", "poor", 3, 5), held("o", "good", 5, 9)],
            [happened("n")],
            [("reshaped", "good"), ("began", "poor")],
        ),
        (
            [held("o", "good", 3, 5)],
            [held("n", "poor", 1, 9)],
            [happened("n")],
            [("began", "poor"), ("displaced", "good")],
        ),
        ([held("o", "good", 1)], [], [happened("r", "FactRetracted")], [("unsaid", "good")]),
        (
            [held("n", "good", 1)],
            [held("o", "fair", 1)],
            [happened("r", "FactRetracted")],
            [("returned", "fair"), ("unsaid", "good")],
        ),
        ([held("o", "good", 1)], [], [happened("c", "FactInvalidated")], [("closed", "good")]),
        ([held("o", "x", 1, source="extracted")], [], [happened("w", "ValueWithdrawn")], [("withdrawn", "x")]),
        ([held("o", "good", 1, 5)], [held("o", "good", 1, 5, ended_by="n")], [happened("n")], []),
    ],
)
def test_a_change_is_called_what_it_is(
    ended: list[Held], began: list[Held], causes: list[Happened], told: list[tuple[str, str]]
) -> None:
    assert sorted(words(*changes(ended, began, causes))) == sorted(told)


def test_a_correction_names_the_value_it_replaces() -> None:
    (change,) = changes([held("o", "fair", 1)], [held("n", "good", 1, 5)], [happened("n")])
    assert (change.previous, change.was[0].valid_until, change.now[0].valid_until) == ("fair", None, day(5))


def test_a_many_claim_replaces_none_of_another_object() -> None:
    ended, began = [held("o", "Ana", 1, many=True)], [held("n", "Bo", 1, many=True)]
    causes = [happened("n", value="Bo", many=True), happened("c", "FactInvalidated")]
    assert sorted(words(*changes(ended, began, causes))) == [("began", "Bo"), ("closed", "Ana")]
    noted = [held("o", "Ana", 1, many=True, source="extracted")]
    causes = [happened("w", "ValueWithdrawn"), happened("r", "FactRetracted")]
    assert words(*changes(noted, [], causes)) == [("unsaid", "Ana")]
    assert words(*changes(noted, [], causes[:1])) == [("masked", "Ana")]


def test_a_retraction_of_one_object_unsays_no_other() -> None:
    ended = [held("a", "Ana", 1), held("b", "Bo", 1)]
    causes = [happened("r", "FactRetracted", "Ana"), happened("c", "FactInvalidated", "Bo")]
    assert words(*changes(ended, [], causes)) == [("unsaid", "Ana"), ("closed", "Bo")]


def test_the_answer_at_an_instant_is_the_objects_each_once() -> None:
    rows = [
        held("a", "good", 1, known_from=day(2), known_until=day(4)),
        held("b", "good", 1, known_from=day(2)),
        held("c", "bad", 1, 3, known_from=day(4)),
    ]
    assert values_at(rows, day(2), day(2)) == ("good",)
    assert values_at(rows, day(2), day(2), before=True) == ()
    assert values_at(rows, day(2), day(4)) == ("bad", "good")
    assert values_at(rows, day(3), day(4)) == ("good",)
