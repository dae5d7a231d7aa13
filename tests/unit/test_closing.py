"""Closes and retractions: what ended, what came back, and what is refused as changing nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import loreweave
from loreweave.errors import Refused
from loreweave.library import Lore
from told import GOOD, NOW, believed, journal, told, write


@pytest.fixture
def lore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lore:
    monkeypatch.setenv("LORE_NOW", NOW)
    return loreweave.open(tmp_path)


def test_a_close_tells_what_ended(lore: Lore) -> None:
    write(lore, GOOD)
    made = lore.invalidate_fact("Vendor", "reliability", valid_until="2024-06-01", because="audit")
    assert told(made) == {"ended": ["good: 2024-06-01 → now"]}
    assert journal(lore) == [
        "- [invalidate] Vendor :: reliability {valid_until=2024-06-01, recorded_at=2025-03-05T14:00:00Z, because=audit}"
    ]
    assert believed(lore, "Vendor", "reliability", as_of="2024-09-01", as_known_at="2025-03-05") == ["good"]


def test_a_close_of_one_object_leaves_the_others(lore: Lore) -> None:
    many = "- [fact] Atlas :: member :: {} {{valid_from=2024-01-01, recorded_at=2024-01-10, many}}\n"
    write(lore, many.format("Ana") + many.format("Bo"))
    assert told(lore.invalidate_fact("Atlas", "member", "ana")) == {"ended": ["Ana: 2025-03-05T14:00:00Z → now"]}
    assert believed(lore, "Atlas", "member") == ["Bo"]


@pytest.mark.parametrize(
    ("object_", "until", "message", "hint"),
    [
        (None, "2023-01-01", 'Vendor :: reliability started on 2024-01-01, after "2023-01-01".', "from 2024-01-01 on"),
        ("poor", None, "Nothing on record says Vendor :: reliability :: poor.", '"good"'),
        (None, "2024-08-01", 'Vendor :: reliability ended on 2024-07-01 already: "2024-08-01"', "before 2024-07-01"),
        (None, "2024-07-01", 'Vendor :: reliability ended on 2024-07-01 already: "2024-07-01"', "before 2024-07-01"),
    ],
)
def test_a_close_that_ends_nothing_is_refused(
    lore: Lore, object_: str | None, until: str | None, message: str, hint: str
) -> None:
    write(lore, GOOD + "- [invalidate] Vendor :: reliability {valid_until=2024-07-01, recorded_at=2024-07-01}\n")
    with pytest.raises(Refused) as refused:
        lore.invalidate_fact("Vendor", "reliability", object_, valid_until=until)
    assert message in refused.value.message
    assert hint in refused.value.hint
    assert journal(lore) == []


def test_a_close_of_an_empty_slot_is_refused(lore: Lore) -> None:
    with pytest.raises(Refused, match="Nothing is on record of Vendor :: contact"):
        lore.invalidate_fact("Vendor", "contact")
    assert journal(lore) == []


def test_a_close_of_what_was_retracted_is_refused(lore: Lore) -> None:
    write(lore, GOOD + "- [retract] Vendor :: reliability {recorded_at=2024-07-01}\n")
    with pytest.raises(Refused, match="Nothing is believed of Vendor :: reliability any more"):
        lore.invalidate_fact("Vendor", "reliability")


def test_a_bounded_value_is_shortened(lore: Lore) -> None:
    write(lore, GOOD.replace("recorded_at", "valid_until=2026-01-01, recorded_at"))
    made = lore.invalidate_fact("Vendor", "reliability", valid_until="2025-06-01")
    assert told(made) == {"ended": ["good: 2025-06-01 → 2026-01-01"]}
    assert believed(lore, "Vendor", "reliability") == ["good"]


def test_a_retraction_tells_what_came_back(lore: Lore) -> None:
    write(lore, GOOD + GOOD.replace("good", "fair").replace("2024-01-01", "2024-06-01"))
    made = lore.retract_fact("Vendor", "reliability", "fair")
    assert told(made) == {"retracted": ["fair: 2024-06-01 → now"], "returned": ["good: 2024-06-01 → now"]}


def test_a_retraction_of_one_start_leaves_the_others(lore: Lore) -> None:
    write(lore, GOOD + GOOD.replace("2024-01-01", "2024-06-01"))
    lore.retract_fact("Vendor", "reliability", valid_from="2024-01-01")
    assert "valid_from=2024-01-01" in journal(lore)[0]
    days = ("2024-05-31", "2024-06-01")
    assert [believed(lore, "Vendor", "reliability", as_of=day) for day in days] == [[], ["good"]]


@pytest.mark.parametrize(
    ("object_", "start", "message", "hint"),
    [
        ("poor", None, "Nothing on record says Vendor :: reliability :: poor.", '"good"'),
        (None, "2024-02-01", 'Nothing on record of Vendor :: reliability starts on "2024-02-01".', "2024-01-01"),
    ],
)
def test_a_retraction_of_nothing_is_refused(
    lore: Lore, object_: str | None, start: str | None, message: str, hint: str
) -> None:
    write(lore, GOOD)
    with pytest.raises(Refused) as refused:
        lore.retract_fact("Vendor", "reliability", object_, valid_from=start)
    assert message in refused.value.message
    assert hint in refused.value.hint


def test_a_second_retraction_is_refused(lore: Lore) -> None:
    write(lore, GOOD)
    lore.retract_fact("Vendor", "reliability")
    with pytest.raises(Refused, match="retracted already"):
        lore.retract_fact("Vendor", "reliability")
    assert len(journal(lore)) == 1
