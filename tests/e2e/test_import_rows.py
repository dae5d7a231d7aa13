"""Rows of every format are held to one rule: nothing in them is passed over unsaid."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from typed import typed

FORMATS = ("csv", "jsonl", "parquet")
ROW = '{"subject": "A", "predicate": "b", "object": '


@pytest.fixture
def lore(tmp_path: Path) -> Path:
    return tmp_path


def journal(lore: Path) -> list[str]:
    path = lore / "lore" / "journal" / "2025-12-01.md"
    return path.read_text("utf-8").splitlines() if path.exists() else []


def rows_file(lore: Path, kind: str, *rows: dict[str, object]) -> str:
    """Write rows as a file of a kind, and give its name."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = lore / f"rows.{kind}"
    if kind == "parquet":
        pq.write_table(pa.Table.from_pylist(list(rows)), path)
    else:
        lines = [json.dumps(row) for row in rows]
        if kind == "csv":
            lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
        path.write_text("\n".join(lines), "utf-8")
    return str(path)


@pytest.mark.parametrize("kind", FORMATS)
def test_columns_that_hold_no_field_are_told_once(lore: Path, kind: str) -> None:
    row: dict[str, object] = {"subject": "Atlas", "predicate": "owner", "object": "Ana", "confidnce": 0.5, "row": 7}
    told = typed(lore, "import", rows_file(lore, kind, row, {**row, "object": "Bo", "predicate": "keeper"}), "--quiet")
    assert (told.exit_code, told.stderr) == (0, "warning: columns not used: confidnce, row\n")
    assert len(journal(lore)) == 2


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize(
    ("named", "error"),
    [
        ((), 'error: Whether the column "recorded_at" is the record time was not said.'),
        (("recorded_at=", "confidence=confidnce"), 'error: There is no column "confidnce".'),
        (("recorded_at=", "object=value"), 'error: There is no column "value".'),
    ],
)
def test_no_format_lets_a_column_be_passed_over(lore: Path, kind: str, named: tuple[str, ...], error: str) -> None:
    row: dict[str, object] = {"subject": "A", "predicate": "b", "object": "c", "recorded_at": "2024-01-01"}
    words = [word for text in named for word in ("--column", text)]
    told = typed(lore, "import", rows_file(lore, kind, row), *words)
    assert (told.exit_code, told.stderr.splitlines()[0]) == (2, error)
    assert journal(lore) == []


def test_of_two_cells_of_one_name_none_is_lost(lore: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = ["subject", "predicate", "object", "object"]
    pq.write_table(pa.table([["A"], ["b"], ["c"], ["d"]], names), lore / "r.parquet")
    assert 'has two columns "object"' in typed(lore, "import", str(lore / "r.parquet")).stderr
    rows = ",".join(names) + "\nA,b,c,d\n"
    assert 'has two columns "object"' in typed(lore, "import", "-", given=rows).stderr
    told = typed(lore, "import", "-", given='{"subject": "A", "predicate": "b", "object": "c", "object": "d"}')
    assert 'row 1 (line 1): it is not JSON that can be read: the field "object" stands twice' in told.stderr
    named = ("--column", "recorded_at=a", "--recorded-at-column", "b")
    told = typed(lore, "import", "-", *named, given="a,b")
    assert 'two columns are named for "recorded_at": "a" and "b"' in told.stderr
    assert journal(lore) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[" * 100_000, "it is nested too deeply"),
        ('{"object": ' + "[" * 100_000, "it is nested too deeply"),
        (ROW + f'"c", "confidence": {10**400}}}', "is not a number from 0 to 1"),
        (ROW + f'"c", "confidence": 1{"0" * 5_000}}}', "it is not JSON that can be read"),
        (ROW + '"\\ud800"}', "is not UTF-8"),
        (ROW + '{"a": 1}}', "is not a text"),
    ],
)
def test_a_row_that_python_cannot_hold_is_a_bad_row(lore: Path, text: str, fault: str) -> None:
    (lore / "rows.jsonl").write_text(text, "utf-8")
    told = typed(lore, "import", str(lore / "rows.jsonl"))
    assert (told.exit_code, told.stderr.count("row 1 (line 1): ")) == (1, 1)
    assert fault in told.stderr


@pytest.mark.parametrize(("unit", "ticks"), [("ns", 1_704_067_200_000_000_001), ("s", 10**12), ("us", -(10**17))])
def test_a_time_that_python_cannot_hold_is_a_bad_row_where_it_is_used(lore: Path, unit: str, ticks: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    times = pa.array([0, ticks], pa.int64()).cast(pa.timestamp(unit))
    table = pa.table({"subject": ["A", "A"], "predicate": ["b", "b"], "object": ["c", "d"], "seen": times})
    pq.write_table(table, lore / "rows.parquet")
    told = typed(lore, "import", str(lore / "rows.parquet"), "--column", "valid_from=seen")
    assert (told.exit_code, told.stderr.count("\n  row 2: seen: ")) == (1, 1), told.stderr
    assert typed(lore, "import", str(lore / "rows.parquet"), "--column", "many=seen").exit_code == 1
    table = table.set_column(1, "predicate", [["b", "c"]])
    pq.write_table(table, lore / "rows.parquet")
    assert typed(lore, "import", str(lore / "rows.parquet")).exit_code == 0
