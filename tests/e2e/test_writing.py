"""The commands that write: what a reader of the screen, or of the JSON, is told."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from house.tree import PACKAGE
from loreweave.cli import main

TODAY = "lore/journal/2025-03-05.md"
GOOD = "- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, recorded_at=2024-01-10T09:00:00Z}\n"
NOW = {"LORE_NOW": "2025-03-05T14:00:00Z", "LORE_BY": "priya", "COLUMNS": None}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    journal = tmp_path / "lore" / "journal" / "2024-01-10.md"
    journal.parent.mkdir(parents=True)
    journal.write_text(GOOD, "utf-8")
    return tmp_path


def run(vault: Path, *words: str, given: str | None = None, **environment: str | None) -> Result:
    result = CliRunner().invoke(main, ["--vault", str(vault), *words], input=given, env={**NOW, **environment})
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def screen(vault: Path, *words: str, given: str | None = None) -> list[str]:
    result = run(vault, *words, given=given)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.splitlines()


def journal(vault: Path) -> list[str]:
    path = vault / TODAY
    return path.read_text("utf-8").splitlines() if path.exists() else []


# ------------------------------------------------------------------------------------------------- one line


def test_assert_tells_what_it_superseded(vault: Path) -> None:
    assert screen(vault, "assert", "Vendor", "reliability", "fair", "enough", "--valid-from", "2024-06-01") == [
        "✓ Vendor :: reliability :: fair enough",
        '  superseded: "good" (now valid until 2024-06-01)',
        f"  journal: {TODAY}:1",
    ]


def test_assert_tells_of_intervals_corrections_and_returns(vault: Path) -> None:
    assert screen(vault, "assert", "Vendor", "reliability", "fair", "--valid-from", "2023-01-01") == [
        "✓ Vendor :: reliability :: fair",
        "  holds: 2023-01-01 → 2024-01-01",
        f"  journal: {TODAY}:1",
    ]
    words = ("--valid-from", "2024-01-01", "--confidence", "0.5")
    assert screen(vault, "assert", "Vendor", "reliability", "poor", *words) == [
        "✓ Vendor :: reliability :: poor",
        '  corrected: "good" (2024-01-01 → now)',
        f"  journal: {TODAY}:2",
    ]
    words = ("--valid-from", "2024-06-01", "--valid-until", "2024-09-01", "--then-resume")
    assert screen(vault, "assert", "Vendor", "reliability", "unknown", *words) == [
        "✓ Vendor :: reliability :: unknown",
        "  holds: 2024-06-01 → 2024-09-01",
        '  superseded: "poor" (now valid until 2024-06-01)',
        '  resumes: "poor" (2024-09-01 → now, confidence 0.5)',
        f"  journal: {TODAY}:3",
    ]


def test_a_rehearsal_shows_the_line(vault: Path) -> None:
    line = "- [fact] Vendor :: contact :: Ana {recorded_at=2025-03-05T14:00:00Z, source=stated, by=priya}"
    assert screen(vault, "assert", "Vendor", "contact", "Ana", "--dry-run") == [
        "would write: Vendor :: contact :: Ana",
        f"  line: {line}",
        f"  journal: {TODAY}:1 (nothing was written)",
    ]
    assert journal(vault) == []


def test_what_is_on_record_is_told_with_its_line(vault: Path) -> None:
    assert screen(vault, "assert", "Vendor", "reliability", "good", "--valid-from", "2024-01-01") == [
        "Vendor :: reliability :: good is on record already; nothing was written.",
        "  journal: lore/journal/2024-01-10.md:1",
    ]


def test_who_says_it_is_the_flag_then_the_environment_then_the_user(vault: Path) -> None:
    run(vault, "assert", "Atlas", "owner", "Ana", "--by", "tom")
    run(vault, "assert", "Atlas", "owner", "Bo")
    run(vault, "assert", "Atlas", "owner", "Cy", LORE_BY=None, LOGNAME="dana", USER="dana")
    assert [line.rpartition("by=")[2] for line in journal(vault)] == ["tom}", "priya}", "dana}"]


def test_many_is_told(vault: Path) -> None:
    screen(vault, "assert", "Atlas", "member", "Ana", "--many")
    said = screen(vault, "assert", "Atlas", "member", "Bo")
    assert "  many: every value that Atlas :: member holds is many-valued" in said
    assert not any("many" in line for line in screen(vault, "assert", "Atlas", "member", "Cy", "--single"))


def test_a_note_is_told_to_be_masked(vault: Path) -> None:
    ledger = vault / "lore" / "ledger" / "2024-02-02-0001.md"
    ledger.parent.mkdir()
    ledger.write_text("- [observed] Atlas :: owner :: Priya {note=atlas.md, recorded_at=2024-02-02}\n", "utf-8")
    said = screen(vault, "assert", "Atlas", "owner", "Tom", "--valid-from", "2024-03-01")
    assert '  masks: "Priya" of atlas.md (2024-03-01 → now)' in said


def test_invalidate_tells_what_ended(vault: Path) -> None:
    assert screen(vault, "invalidate", "Vendor", "reliability", "--valid-until", "2024-06-01") == [
        '✓ Vendor :: reliability ended 2024-06-01: "good" (from 2024-01-01)',
        f"  journal: {TODAY}:1",
    ]
    assert screen(vault, "assert", "Vendor", "reliability", "good", "--valid-from", "2024-01-01")[1] == (
        '  corrected: "good" (2024-01-01 → 2024-06-01)'
    )
    assert screen(vault, "invalidate", "Vendor", "reliability", "--valid-until", "2026-06-01")[0] == (
        '✓ Vendor :: reliability ends 2026-06-01: "good" (from 2024-01-01)'
    )


def test_retract_tells_what_came_back(vault: Path) -> None:
    screen(vault, "assert", "Vendor", "reliability", "fair", "--valid-from", "2024-06-01")
    assert screen(vault, "retract", "Vendor", "reliability", "fair", "--because", "a mistake") == [
        '✓ Vendor :: reliability retracted: "fair" (2024-06-01 → now)',
        '  came back: "good" (2024-06-01 → now)',
        f"  journal: {TODAY}:2",
    ]
    assert screen(vault, "retract", "Vendor", "reliability")[1] == "  nothing comes back"
    assert "because=a mistake" in journal(vault)[1]


def test_json_tells_the_same(vault: Path) -> None:
    command = ("assert", "Vendor", "reliability", "fair", "--valid-from", "2024-06-01", "--json")
    told = json.loads(run(vault, *command).stdout)
    assert (told["subject"], told["object"], told["written"], told["path"], told["line_number"]) == (
        *("Vendor", "fair", True, TODAY, 1),
    )
    assert told["lines"] == journal(vault)
    assert told["holds"] == [{"valid_from": "2024-06-01T00:00:00Z", "valid_until": None}]
    (ended,) = told["superseded"]
    assert (ended["object"], ended["path"], ended["line"]) == ("good", "lore/journal/2024-01-10.md", 1)
    assert ended["now"] == [{"valid_from": "2024-01-01T00:00:00Z", "valid_until": "2024-06-01T00:00:00Z"}]
    told = json.loads(run(vault, "--json", "invalidate", "Vendor", "reliability").stdout)
    assert [effect["object"] for effect in told["ended"]] == ["fair"]
    told = json.loads(run(vault, "retract", "Vendor", "reliability", "fair", "--json").stdout)
    assert ([e["object"] for e in told["retracted"]], [e["object"] for e in told["returned"]]) == (["fair"], ["good"])


@pytest.mark.parametrize(
    ("words", "exits", "error", "hint"),
    [
        (
            ("invalidate", "Vendor", "reliability", "--valid-until", "2023-01-01"),
            *(1, 'Vendor :: reliability started on 2024-01-01, after "2023-01-01".', "give a day from 2024-01-01 on"),
        ),
        (("assert", "__", "owner", "Ana"), 1, 'The subject "__" has an empty key', "a letter"),
        (("assert", "Atlas", "owner", "Ana", "--confidence", "2"), 1, 'The confidence "2" is not from 0 to 1.', "0.9"),
        (("assert", "Atlas", "owner", "Ana", "--confidence", "high"), 2, "'high' is not a valid float", "--help"),
        (("assert", "Atlas", "owner", "Ana", "--valid-from", "2024-02-30"), 2, '"2024-02-30" is not in', "write"),
        (("assert", "Atlas", "owner"), 2, "Missing argument", "--help"),
        (("retract", "Vendor", "reliability", ""), 1, 'The object "" is blank', "value"),
    ],
)
def test_a_refusal_has_a_reason_a_hint_and_a_code(
    vault: Path, words: tuple[str, ...], exits: int, error: str, hint: str
) -> None:
    result = run(vault, *words)
    assert (result.exit_code, result.stdout) == (exits, "")
    told = result.stderr.splitlines()
    assert told[0].startswith("error: ")
    assert error in told[0]
    assert told[-1].startswith("hint: ")
    assert hint in told[-1]
    assert journal(vault) == []


def test_an_assertion_imports_nothing_heavy(vault: Path) -> None:
    run(vault, "replay")
    program = (
        "import sys; from loreweave.cli import main\n"
        "try: main()\nexcept SystemExit as left: assert not left.code\n"
        "print([name for name in ('lark', 'mcp', 'pyarrow', 'rich', 'yaml') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "--vault", str(vault), "assert", "Vendor", "contact", "Ana"],
        env={"PYTHONPATH": str(PACKAGE.parent), "LORE_NOW": "2025-03-05T14:00:00Z", "LORE_BY": "priya"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


# ------------------------------------------------------------------------------------------------- many lines

PRICES = """\
subject,predicate,object,valid_from,learned
Licence,price,100,2024-01-01,2024-01-05
Licence,price,120,2024-09-01,
"""
LINE = "- [fact] Licence :: price :: {} {{valid_from={}, recorded_at={}, source=stated, by=priya}}"


def test_rows_bring_their_times(vault: Path) -> None:
    (vault / "prices.csv").write_text(PRICES, "utf-8")
    command = ("import", str(vault / "prices.csv"), "--recorded-at-column", "learned")
    assert screen(vault, *command) == [
        f"✓ 2 of 2 rows of {vault / 'prices.csv'} imported",
        "  with a record time of their own: 1",
        f"  journal: {TODAY}:1-2",
    ]
    assert journal(vault) == [
        LINE.format(100, "2024-01-01", "2024-01-05T00:00:00Z"),
        LINE.format(120, "2024-09-01", "2025-03-05T14:00:00Z"),
    ]
    assert screen(vault, *command)[:2] == [
        f"✓ 0 of 2 rows of {vault / 'prices.csv'} imported",
        "  on record already: 2",
    ]
    assert len(journal(vault)) == 2


def test_all_bad_rows_are_listed_and_none_is_written(vault: Path) -> None:
    rows = [
        "subject,predicate,object,valid_from,valid_until,confidence,many,source",
        "Licence,price,100,2024-01-01,,,,",
        "Licence,price,120,2024-02-30,,,,",
        "Licence,__,130,,,,,",
        "Licence,price,,,,,,",
        "Licence,price,140,2024-03-01,2024-03-01,,,",
        "Licence,price,150,2024-04-01,,high,,",
        "Licence,price,160,2024-05-01,,,perhaps,",
        "Licence,price,170,2024-06-01,,,,guessed",
        "Licence,price,180,2024-01-01,,,,",
        "Licence,price",
    ]
    (vault / "rows.csv").write_text("\n".join(rows), "utf-8")
    result = run(vault, "import", str(vault / "rows.csv"))
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "error: 9 of 10 rows cannot be imported, so nothing was written:",
        '  row 2 (line 3): valid_from: "2024-02-30" is not in the calendar',
        '  row 3 (line 4): The predicate "__" has an empty key: nothing of it is left to tell it from others',
        "  row 4 (line 5): its object is empty",
        '  row 5 (line 6): The end "2024-03-01" is not after the start "2024-03-01"',
        '  row 6 (line 7): confidence: "high" is not a number from 0 to 1',
        '  row 7 (line 8): many: "perhaps" is neither true nor false',
        '  row 8 (line 9): source: "guessed" is none of stated, inferred',
        "  row 9 (line 10): it contradicts row 1: another value from the same start",
        "  row 10 (line 11): it has 2 cells, and the header 8",
        "hint: correct these rows, and import the file again",
    ]
    assert journal(vault) == []


def test_the_first_twenty_bad_rows_are_listed(vault: Path) -> None:
    rows = "subject,predicate,object\n" + "__,p,x\n" * 25
    told = run(vault, "import", "-", given=rows).stderr.splitlines()
    assert [line for line in told if "row 20 " in line or "row 21 " in line] == [told[20]]
    assert told[21] == "  and 5 more"


def test_a_record_time_in_the_future_is_refused(vault: Path) -> None:
    rows = "subject,predicate,object,learned\nLicence,price,100,2025-03-05T14:00:00.000001Z\n"
    result = run(vault, "import", "-", "--recorded-at-column", "learned", given=rows)
    assert result.exit_code == 1
    assert "is later than now, 2025-03-05T14:00:00Z" in result.stderr


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("\ufeffSubject;predicate;object\nAtlas;owner;Ana, and Bo\n", ("--column", "subject=Subject")),
        ("subject\tpredicate\tobject\nAtlas\towner\tAna, and Bo\n", ()),
        ('subject,predicate,object\r\nAtlas,owner,"Ana, and Bo"\r\n', ()),
        ('{"subject": "Atlas", "predicate": "owner", "object": "Ana, and Bo", "confidence": null}\n\n', ()),
    ],
)
def test_rows_are_read_as_programs_write_them(vault: Path, rows: str, words: tuple[str, ...]) -> None:
    path = vault / ("rows.jsonl" if rows.startswith("{") else "rows.csv")
    path.write_bytes(rows.encode())
    screen(vault, "import", str(path), *words)
    assert journal(vault) == [
        "- [fact] Atlas :: owner :: Ana, and Bo {recorded_at=2025-03-05T14:00:00Z, source=stated, by=priya}"
    ]


def test_parquet_keeps_its_types(vault: Path) -> None:
    import datetime as dt

    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table(
        {
            "subject": ["Licence"],
            "predicate": ["price"],
            "object": [120.0],
            "valid_from": [dt.date(2024, 1, 1)],
            "recorded_at": [dt.datetime(2024, 1, 5, 9, tzinfo=dt.UTC)],
        }
    )
    pq.write_table(table, vault / "rows.parquet")
    screen(vault, "import", str(vault / "rows.parquet"), "--recorded-at-column", "recorded_at")
    assert journal(vault) == [LINE.format(120, "2024-01-01", "2024-01-05T09:00:00Z")]


@pytest.mark.parametrize(
    ("rows", "words", "error"),
    [
        ("subject,predicate,value\nA,b,c\n", (), 'There is no column "object".'),
        ("subject,predicate,object\nA,b,c\n", ("--column", "object=value"), 'There is no column "value".'),
        ("subject,predicate,object\nA,b,c\n", ("--column", "value=object"), '"value" is not a field'),
        ("subject,predicate,object\nA,b,c\n", ("--column", "object"), "is not FIELD=COLUMN"),
        ("subject,predicate,object,recorded_at\nA,b,c,2024-01-01\n", (), "was not said"),
        ("", (), '"-" is empty.'),
    ],
)
def test_columns_that_are_not_plain_are_told(vault: Path, rows: str, words: tuple[str, ...], error: str) -> None:
    result = run(vault, "import", "-", *words, given=rows)
    assert (result.exit_code, error in result.stderr) == (2, True), result.stderr


@pytest.mark.parametrize("name", ["absent.csv", "rows.xlsx", "rows.parquet"])
def test_a_file_that_cannot_be_read_is_told(vault: Path, name: str) -> None:
    if name != "absent.csv":
        (vault / name).write_bytes(b"PK\x03\x04")
    result = run(vault, "import", str(vault / name))
    assert result.exit_code == 2
    assert name in result.stderr.splitlines()[0]


def test_standard_input_that_is_not_utf_8_is_told(vault: Path) -> None:
    rows = b"subject,predicate,object\nA,b,\xe9"
    result = CliRunner().invoke(main, ["--vault", str(vault), "import", "-"], input=rows, env=NOW)
    assert result.exit_code == 2
    assert '"-" cannot be read' in result.stderr


def test_a_rehearsed_import_writes_nothing(vault: Path) -> None:
    rows = "subject,predicate,object\nAtlas,owner,Ana\n"
    said = screen(vault, "import", "-", "--dry-run", given=rows)
    assert said[0] == "would write: 1 of 1 rows of standard input"
    assert said[-1] == f"  journal: {TODAY}:1 (nothing was written)"
    assert journal(vault) == []


def test_equal_rows_are_one_line_and_declared_predicates_are_many(vault: Path) -> None:
    (vault / "lore" / "config.toml").write_text('[facts]\nmany = ["member"]\n', "utf-8")
    rows = "subject,predicate,object\nAtlas,member,Ana\nAtlas,member,Ana\nAtlas,member,Bo\n"
    told = json.loads(run(vault, "import", "-", "--json", given=rows).stdout)
    assert (told["rows"], told["written"], told["skipped"]) == (3, 2, 1)
    assert [("many" in line) for line in journal(vault)] == [True, True]


def test_rows_of_the_statement_that_stands_are_left_out(vault: Path) -> None:
    rows = "subject,predicate,object,valid_from\nVENDOR,reliability,Good,2024-01-01\nVendor,reliability,fair,2024-06-01"
    told = json.loads(run(vault, "import", "-", "--json", given=rows).stdout)
    assert (told["written"], told["skipped"]) == (1, 1)
