"""Rows as text: every type of the database, in every format."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from loreweave.reports import rows

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC).replace(tzinfo=None)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        ("", ""),
        (True, "true"),
        (1, "1"),
        (1.5, "1.5"),
        (Decimal("1.50"), "1.50"),
        (date(2024, 1, 1), "2024-01-01"),
        (NOON, "2024-01-01T12:00:00Z"),
        (NOON.replace(microsecond=120_000), "2024-01-01T12:00:00.12Z"),
        (NOON.replace(tzinfo=UTC), "2024-01-01T12:00:00Z"),
        (NOON.replace(hour=0), "2024-01-01T00:00:00Z"),
        (datetime.max.replace(tzinfo=UTC).replace(tzinfo=None), "infinity"),
        (timedelta(days=31), "31 days"),
        (timedelta(days=1, hours=2), "1 day 02:00:00"),
        (timedelta(seconds=90), "00:01:30"),
        ([1, None], "[1, null]"),
        ({"at": NOON}, '{"at": "2024-01-01T12:00:00Z"}'),
        (b"\x00\xff", "00ff"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    ],
)
def test_a_value_has_one_text(value: Any, shown: str) -> None:
    assert rows.text(value) == shown


def test_a_midnight_is_its_day_for_people() -> None:
    assert rows.text(NOON.replace(hour=0), days=True) == "2024-01-01"
    assert rows.text(NOON, days=True) == "2024-01-01T12:00:00Z"


def test_json_holds_every_type_and_equal_names_side_by_side() -> None:
    columns = [("a", "VARCHAR"), ("a", "DOUBLE"), ("100%s", "TIMESTAMP"), ('"q"', "DECIMAL(9,2)"), ("n", "BIGINT")]
    batch: list[tuple[Any, ...]] = [('x"\n', float("nan"), NOON, Decimal("1.5"), 7), (None, 0.5, None, None, None)]
    assert [json.loads(line) for line in "".join(rows.as_jsonl(columns, [batch])).splitlines()] == [
        {"a": 'x"\n', "a_1": None, "100%s": "2024-01-01T12:00:00Z", '"q"': 1.5, "n": 7},
        {"a": None, "a_1": 0.5, "100%s": None, '"q"': None, "n": None},
    ]


def test_an_array_is_whole_however_the_rows_come() -> None:
    def array(*batches: list[tuple[Any, ...]]) -> Any:
        return json.loads("".join(rows.as_json([("n", "BIGINT")], batches)))

    assert (array(), array([(1,)]), array([(1,), (2,)], [(3,)])) == ([], [{"n": 1}], [{"n": 1}, {"n": 2}, {"n": 3}])


def test_no_more_than_one_batch_is_asked_for_at_a_time() -> None:
    asked: list[int] = []

    def batches() -> Any:
        for number in range(3):
            asked.append(number)
            yield [(number,)]

    written = rows.as_csv([("n", "BIGINT")], batches())
    assert (next(written), asked) == ("n\n", [])
    assert (next(written), asked) == ("0\n", [0])
