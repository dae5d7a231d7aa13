"""``lore query``: the formats, where the rows go, and how it ends."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from pathlib import Path

import pytest

from typed import process, refused, screen, typed, vault

LINES = """\
- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, recorded_at=2024-01-05T09:00:00Z, confidence=0.5}
- [fact] Vendor :: "a|b" :: two\\nlines {valid_from=2024-02-01T10:30:00Z, recorded_at=2024-01-06, scope=audit}
"""
ALL = "select subject, object, valid_from, valid_until, confidence, many, line from beliefs order by line"


@pytest.fixture(scope="module")
def lore(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault(tmp_path_factory.mktemp("vault"), {"lore/journal/2024-01-05.md": LINES})


def test_csv_is_what_a_pipe_gets(lore: Path) -> None:
    rows = list(csv.reader(io.StringIO(typed(lore, "query", ALL).stdout)))
    assert rows == [
        ["subject", "object", "valid_from", "valid_until", "confidence", "many", "line"],
        ["Vendor", "good", "2024-01-01T00:00:00Z", "", "0.5", "false", "1"],
        ["Vendor", "two\nlines", "2024-02-01T10:30:00Z", "", "1.0", "false", "2"],
    ]


def test_json_is_one_array_and_jsonl_one_object_a_line(lore: Path) -> None:
    one = {
        "subject": "Vendor",
        "object": "good",
        "valid_from": "2024-01-01T00:00:00Z",
        "valid_until": None,
        "confidence": 0.5,
        "many": False,
        "line": 1,
    }
    rows = json.loads("\n".join(screen(lore, "query", ALL, "--format", "json")))
    assert rows[0] == one
    assert [row["object"] for row in rows] == ["good", "two\nlines"]
    assert [json.loads(line) for line in screen(lore, "query", ALL, "--format", "jsonl")] == rows
    assert json.loads(typed(lore, "--json", "query", ALL).stdout) == rows
    assert json.loads(typed(lore, "query", "--json", f"select * from ({ALL}) where line > 9").stdout) == []


def test_tables_print_a_midnight_as_its_day(lore: Path) -> None:
    assert screen(lore, "query", ALL, "--format", "table") == [
        "subject  object     valid_from            valid_until  confidence  many   line",
        "───────  ─────────  ────────────────────  ───────────  ──────────  ─────  ────",
        "Vendor   good       2024-01-01                                0.5  false     1",
        "Vendor   two�lines  2024-02-01T10:30:00Z                      1.0  false     2",
    ]
    sql = "select predicate, object, valid_from, line from beliefs order by line desc limit 1"
    assert screen(lore, "query", sql, "--format", "markdown") == [
        "| predicate | object | valid_from | line |",
        "|---|---|---|--:|",
        r'| "a\|b" | two<br>lines | 2024-02-01T10:30:00Z | 2 |',
    ]


def test_parquet_and_arrow_hold_the_same_rows(lore: Path, tmp_path: Path) -> None:
    ipc, parquet = pytest.importorskip("pyarrow.ipc"), pytest.importorskip("pyarrow.parquet")
    assert screen(lore, "query", ALL, "--format", "parquet", "--output", str(tmp_path / "a.parquet")) == []
    assert screen(lore, "query", ALL, "--format", "arrow", "--output", str(tmp_path / "a.arrow")) == []
    table = ipc.open_stream(str(tmp_path / "a.arrow")).read_all()
    assert table.to_pylist() == parquet.read_table(tmp_path / "a.parquet").to_pylist()
    assert table["object"].to_pylist() == ["good", "two\nlines"]


def test_every_scope_is_seen_unless_one_is_named(lore: Path) -> None:
    assert screen(lore, "query", "select count(*) as n from beliefs") == ["n", "2"]
    assert screen(lore, "--scope", "audit", "query", "select count(*) as n from beliefs") == ["n", "1"]


def test_the_moment_is_that_of_the_view_facts(lore: Path) -> None:
    sql = "select object from facts order by all"
    assert screen(lore, "query", sql, "--as-of", "2024-01-15") == ["object", "good"]
    assert screen(lore, "query", sql, "--as-of", "2024-01-15", "--as-known-at", "2024-01-01") == ["object"]
    code, said = refused(lore, "query", sql)
    assert (code, "no moment is set; give --as-of" in said[0]) == (2, True)


def test_sql_comes_as_an_argument_a_file_or_standard_input(lore: Path, tmp_path: Path) -> None:
    file = tmp_path / "q.sql"
    file.write_text("select $who as who;\n", "utf-8")
    assert screen(lore, "query", f"@{file}", "--param", "who=a=b") == ["who", "a=b"]
    assert typed(lore, "query", given="select 1 as one").stdout == "one\n1\n"
    assert typed(lore, "query", "-", given="select 1 as one").stdout == "one\n1\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("@missing.sql",), 'error: "missing.sql" cannot be read: No such file or directory.'),
        (("select 1", "--param", "who"), 'error: --param: "who" is not NAME=VALUE.'),
        (("select 1", "--memory-limit", "lots"), 'error: memory-limit: "lots" is not an amount of memory.'),
        (("select 1", "--output", "missing/x.csv"), None),
        (("select 1", "--timeout", "nan"), 'error: timeout: "nan" is not above 0 and up to 86,400 seconds.'),
        (("select 1", "--timeout", "inf"), 'error: timeout: "inf" is not above 0 and up to 86,400 seconds.'),
        (("select 1", "--timeout", "1e10"), None),
        (("select 1", "--timeout", "0"), None),
        (("select '\udcff'",), None),
        (("select $x", "--param", "x=\udcff"), None),
        (("select to_days(2000000000)",), None),
        (("select [to_months(2000000000)]", "--format", "json"), None),
        (("pivot beliefs on subject",), None),
    ],
)
def test_what_cannot_be_asked_ends_with_2(lore: Path, words: tuple[str, ...], message: str | None) -> None:
    code, said = refused(lore, "query", *words)
    assert code == 2
    assert message in (None, said[0])


def test_sql_that_begins_with_a_comment_stands_behind_two_dashes(lore: Path) -> None:
    code, said = refused(lore, "query", "-- one\nselect 1 as one")
    assert (code, "behind --" in said[-1]) == (2, True)
    assert screen(lore, "query", "--", "-- one\nselect 1 as one") == ["one", "1"]


def test_standard_input_that_is_not_utf_8_is_told(lore: Path) -> None:
    with process(lore, "query", stdin=subprocess.PIPE) as running:
        assert running.stdin is not None
        running.stdin.buffer.write(b"select '\xff'")
        out, said = running.communicate(timeout=60)
    assert (running.returncode, out, said.splitlines()[0]) == (2, "", "error: The SQL on standard input is not UTF-8.")


def test_an_error_in_sql_shows_message_and_position(lore: Path) -> None:
    code, said = refused(lore, "query", "select nothing\nfrom beliefs")
    assert code == 2
    assert said[0].startswith("error: Binder Error: Referenced column")
    assert said[-2] == "LINE 1: select nothing"
    assert said[-1].index("^") == said[-2].index("nothing")


def test_rows_or_their_absence_fail_a_check(lore: Path) -> None:
    some, none = "select subject from beliefs order by line limit 1", "select subject from beliefs where line > 9"
    shown = typed(lore, "query", some, "--fail-if-rows")
    assert (shown.exit_code, shown.stdout) == (1, "subject\nVendor\n")
    assert typed(lore, "query", none, "--fail-if-rows").exit_code == 0
    assert typed(lore, "query", some, "--fail-if-empty").exit_code == 0
    assert typed(lore, "query", none, "--fail-if-empty").exit_code == 1


def test_a_file_is_never_overwritten_unasked_and_never_half_written(lore: Path, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("mine", "utf-8")
    code, said = refused(lore, "query", "select 1 as one", "--output", str(file))
    assert (code, said[0]) == (1, f'error: "{file}" exists already.')
    assert typed(lore, "query", "select error('no')", "--output", str(file), "--force").exit_code == 2
    assert file.read_text("utf-8") == "mine"
    assert screen(lore, "query", "select 1 as one", "--output", str(file), "--force") == []
    assert file.read_text("utf-8") == "one\n1\n"
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]


def test_the_record_is_no_place_for_an_answer(lore: Path) -> None:
    for place in ("lore/journal/2024-01-05.md", "lore/new.csv", ".lore/index.duckdb"):
        code, said = refused(lore, "query", "select 1", "--force", "--output", str(lore / place))
        assert (code, "is the engine's own" in said[0]) == (1, True)


@pytest.mark.parametrize("format_", ["csv", "json", "table", "arrow", "parquet"])
def test_one_huge_text_takes_no_more_memory_than_any_other_answer(lore: Path, format_: str) -> None:
    words = ("--memory-limit", "500MB", "--format", format_)
    few = process(lore, "query", "select range as n from range(3)", *words, stdout=subprocess.DEVNULL)
    assert (few.communicate(timeout=60)[1], few.returncode) == ("", 0)
    huge = process(lore, "query", "select length(repeat('x', 3_000_000_000))", *words, stdout=subprocess.DEVNULL)
    told = huge.communicate(timeout=60)[1]
    assert (
        huge.returncode,
        told.startswith("error: The query needs more memory than the 500MB that it may have."),
    ) == (2, True)


def test_a_query_that_runs_for_ever_is_stopped(lore: Path) -> None:
    endless = "select sum(a.range * b.range) from range(10000000) a, range(10000000) b"
    code, said = refused(lore, "query", endless, "--timeout", "0.3")
    assert (code, said[0]) == (2, "error: The query took longer than 0.3 s and was stopped.")


@pytest.mark.parametrize(("words", "code"), [((), 0), (("--fail-if-rows",), 1)])
def test_a_reader_who_has_seen_enough_ends_it_quietly(lore: Path, words: tuple[str, ...], code: int) -> None:
    with process(lore, "query", "select range as n from range(10000000)", *words) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline() == "n\n"
        running.stdout.close()
        assert (running.stderr.read(), running.wait(60)) == ("", code)
