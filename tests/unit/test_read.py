"""A file of the record: which lines count where, since when they are known, and what is quarantined."""

from __future__ import annotations

import subprocess
import sys

import pytest

from loreweave.errors import Finding
from loreweave.events import COLUMNS, EventRow, FactAsserted, FactInvalidated, event_of, parse, read_record
from loreweave.events.model import JOURNAL_KINDS, KINDS, LEDGER_KINDS
from loreweave.events.read import Tail, can_follow
from loreweave.times import read_instant

JOURNAL = "lore/journal/2024-06-01.md"
LEDGER = "lore/ledger/2024-06-01-0001.md"
AT = "recorded_at=2024-06-02"


def column(rows: list[EventRow], name: str) -> list[object]:
    return [row[COLUMNS.index(name)] for row in rows]


def codes(findings: list[Finding]) -> list[tuple[int, str]]:
    return [(finding.line, finding.code) for finding in findings]


def a_line(kind: str) -> str:
    return f"- [{kind}] Atlas :: status :: open {{{AT}}}"


def test_a_fact_is_known_since_it_was_recorded_and_holds_since_then() -> None:
    (row,) = read_record(JOURNAL, a_line("fact")).rows
    event = event_of(row)
    assert isinstance(event, FactAsserted)
    assert event.valid_from == event.recorded_at == read_instant("2024-06-02")
    assert (event.source, event.confidence, event.scope, event.many) == ("stated", 1.0, "default", False)
    assert (event.subject_key, event.predicate_key, event.object_key) == ("atlas", "status", "open")
    assert (event.path, event.line) == (JOURNAL, 1)


def test_what_the_engine_saw_is_extracted_whatever_it_says_of_itself() -> None:
    record = read_record(LEDGER, f"- [observed] Atlas :: status :: open {{source=stated, {AT}}}\n")
    assert column(record.rows, "source") == ["extracted"]
    assert column(record.rows, "confidence") == [0.9]
    assert codes(record.findings) == [(1, "forged-source")]


def test_an_unknown_source_counts_as_extracted() -> None:
    record = read_record(JOURNAL, f"- [fact] Atlas :: status :: open {{source=boss, {AT}}}\n")
    assert column(record.rows, "source") == ["extracted"]
    assert codes(record.findings) == [(1, "unknown-source")]
    assert record.findings[0].severity == "warning"
    assert '"boss"' in record.findings[0].message


def test_a_close_ends_when_it_was_recorded_unless_it_says_when() -> None:
    (row,) = read_record(JOURNAL, a_line("invalidate")).rows
    assert isinstance(event_of(row), FactInvalidated)
    assert event_of(row).valid_until == read_instant("2024-06-02")
    assert event_of(row).valid_from is None


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("path", [JOURNAL, LEDGER, "lore/journal/2023/2024-06-01.md", "lore/inbox.md", "atlas.md"])
def test_kinds_count_by_place(kind: str, path: str) -> None:
    counts = kind in (JOURNAL_KINDS if "journal" in path else LEDGER_KINDS if "ledger" in path else ())
    record = read_record(path, a_line(kind))
    assert len(record.rows) == counts
    assert codes(record.findings) == ([] if counts else [(1, "misplaced")])


def test_lines_that_name_a_thing_have_no_slot() -> None:
    (row,) = read_record(LEDGER, f"- [used] a.md#b {{hash=0f, {AT}}}").rows
    event = event_of(row)
    assert (event.kind, event.object, event.subject, event.predicate_key) == ("SpanUsed", "a.md#b", None, None)


UNDATED = "- [fact] Atlas :: status :: open\n"


@pytest.mark.parametrize(
    ("path", "above", "expected"),
    [
        (JOURNAL, "", "2024-06-01"),
        (JOURNAL, "recorded_at=2024-06-05", "2024-06-05"),
        (JOURNAL, "recorded_at=2023-01-01", "2024-06-01"),
        ("lore/journal/2024/2024-06-01 notes.md", "", "2024-06-01"),
    ],
)
def test_a_line_without_a_record_time_takes_the_day_of_its_file_or_a_later_one_above(
    path: str, above: str, expected: str
) -> None:
    record = read_record(path, (f"- [fact] Vendor :: status :: good {{{above}}}\n" if above else "") + UNDATED)
    assert column(record.rows, "recorded_at")[-1] == read_instant(expected)


def test_a_quarantined_line_lends_no_record_time() -> None:
    record = read_record(JOURNAL, "- [fact] -- :: status :: open {recorded_at=2025-01-01}\n" + UNDATED)
    assert column(record.rows, "recorded_at") == [read_instant("2024-06-01")]


@pytest.mark.parametrize(
    ("path", "text", "code", "quoted"),
    [
        ("lore/journal/notes.md", UNDATED, "no-record-time", "[fact]"),
        ("lore/journal/2024-02-30.md", UNDATED, "no-record-time", "[fact]"),
        (LEDGER, "- [observed] Atlas :: status :: open", "no-record-time", "[observed]"),
        (JOURNAL, "- [fact] \u200b :: status :: open", "empty-key", "<U+200B>"),
        (JOURNAL, "- [fact] Atlas :: __ :: open", "empty-key", '"__"'),
        (JOURNAL, "- [fact] Atlas :: status :: open {scope=}", "empty-key", '""'),
        (JOURNAL, "- [fact] Atlas :: status ::", "blank-object", '""'),
        (JOURNAL, "- [fact] Atlas :: status :: \u200b", "blank-object", "<U+200B>"),
        (
            JOURNAL,
            "- [fact] a :: b :: c {valid_from=2024-01-02, valid_until=2024-01-02}",
            "close-before-open",
            "2024-01-02",
        ),
        (JOURNAL, "- [fact] a :: b :: c {valid_until=2024-05-31}", "close-before-open", "2024-05-31"),
        (JOURNAL, "- [fact] a :: b :: c {confidence=2}", "bad-attribute", '"2"'),
        (JOURNAL, "- [fact] a :: b", "missing-field", "object"),
    ],
)
def test_quarantined_is(path: str, text: str, code: str, quoted: str) -> None:
    record = read_record(path, "text\n" + text)
    assert record.rows == []
    (finding,) = record.findings
    assert (finding.code, finding.path, finding.line, finding.severity) == (code, path, 2, "error")
    assert finding.column >= 1
    assert quoted in finding.message


def test_a_broken_line_hides_no_other() -> None:
    record = read_record(JOURNAL, UNDATED + "- [fact] broken\n" * 100 + UNDATED)
    assert column(record.rows, "line") == [1, 102]
    assert codes(record.findings) == [(n, "missing-field") for n in range(2, 102)]


def test_findings_know_the_scope_of_their_line() -> None:
    record = read_record(JOURNAL, "- [fact] a :: b :: \u200b {scope=Alice}\n- [fact] a\n")
    assert [finding.scope_key for finding in record.findings] == ["alice", None]


@pytest.mark.parametrize("scope", ['""', "", "\u200b", "--"])
@pytest.mark.parametrize("rest", ["c", "\u200b", "c {x}"])
def test_a_finding_of_a_scope_without_a_key_has_none(scope: str, rest: str) -> None:
    (finding, *_) = read_record(JOURNAL, f"- [fact] a :: b :: {rest} {{scope={scope}, source=boss}}\n").findings
    assert finding.scope_key is None


def test_lines_in_code_are_text() -> None:
    record = read_record(JOURNAL, f"```\n{UNDATED}```\n<!--\n{UNDATED}-->\n%%\n{UNDATED}%%\n")
    assert (record.rows, record.findings, record.lines) == ([], [], 9)


def test_conflict_marks_are_named_and_both_sides_read() -> None:
    text = f"Heading\n=======\n<<<<<<< ours\n{UNDATED}=======\n{a_line('fact')}\n>>>>>>> theirs\nHeading\n=======\n"
    record = read_record(JOURNAL, text)
    assert codes(record.findings) == [(3, "conflict-markers"), (5, "conflict-markers"), (7, "conflict-markers")]
    assert column(record.rows, "line") == [4, 6]


def test_a_line_doubled_by_a_merge_is_one_event() -> None:
    here = read_record(JOURNAL, a_line("fact") + "\n" + a_line("fact"))
    there = read_record("lore/journal/2024-06-02.md", a_line("fact").replace("06-02}", "06-02T02:00+02:00}"))
    assert len({*column(here.rows, "event_id"), *column(there.rows, "event_id")}) == 1


def test_lines_without_a_record_time_are_told_apart_by_place_and_number() -> None:
    here = read_record(JOURNAL, UNDATED + UNDATED)
    there = read_record("lore/journal/copy/2024-06-01.md", UNDATED)
    again = read_record(JOURNAL, "\n" + UNDATED + "text\n" + UNDATED)
    assert len({*column(here.rows, "event_id"), *column(there.rows, "event_id")}) == 3
    assert column(again.rows, "event_id") == column(here.rows, "event_id")


def test_a_tail_goes_on_where_its_file_ended() -> None:
    above = read_record(JOURNAL, a_line("fact") + "\n")
    assert above.tail == Tail(1, read_instant("2024-06-02"))
    assert can_follow(above.tail, UNDATED)
    below = read_record(JOURNAL, UNDATED, above.tail)
    assert column(below.rows, "line") == [2]
    assert column(below.rows, "recorded_at") == [read_instant("2024-06-02")]
    assert below.tail is None


@pytest.mark.parametrize("text", [UNDATED, a_line("fact"), "```\n", "<<<<<<< ours\n"])
def test_no_tail_is_read_alone_after(text: str) -> None:
    assert read_record(JOURNAL, text).tail is None


def test_parse_gives_events_and_findings_in_line_order() -> None:
    found = parse(f"- [fact] broken\n{a_line('fact')}\n- [Fact] a :: b :: c\n")
    assert [type(item) for item in found] == [Finding, FactAsserted, Finding]
    assert [item.line for item in found] == [1, 2, 3]


def test_journals_of_the_typescript_loreweave_are_read() -> None:
    text = (
        r"- [fact] Ledger Format :: status :: a \:\: b {x} {valid_from=2026-09-01, valid_until=2026-12-01, "
        "recorded_at=2026-11-29T20:22:17.553Z, confidence=0.5, source=stated}\n"
        "- [invalidate] Ledger Format :: status {valid_until=2026-10-01}\n"
    )
    record = read_record("lore/journal/2026-11-29.md", text)
    assert record.findings == []
    assert column(record.rows, "object") == ["a :: b {x}", None]
    assert column(record.rows, "recorded_at") == [read_instant("2026-11-29T20:22:17.553Z")] * 2


def test_the_grammar_is_loaded_only_for_what_the_matcher_leaves() -> None:
    code = (
        "import sys, loreweave.events.read; from loreweave.events import parse; "
        "parse('- [fact] a :: b :: c {recorded_at=2024-01-01}'); "
        "sys.exit('lark' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
