"""How a line is written."""

from __future__ import annotations

import pytest

from loreweave.events.model import Line
from loreweave.events.parse import parse_line
from loreweave.events.render import as_read, render
from loreweave.times import read_instant

DAY = read_instant("2026-08-01")
NINE = read_instant("2026-08-01T09:30:00Z")

WRITTEN = [
    (
        Line("fact", "Ledger Format", "status", "final", DAY, None, NINE, 0.9, "stated", by="cli"),
        (
            "- [fact] Ledger Format :: status :: final "
            "{valid_from=2026-08-01, recorded_at=2026-08-01T09:30:00Z, confidence=0.9, source=stated, by=cli}"
        ),
    ),
    (
        Line("invalidate", "Ledger Format", "status", None, None, DAY, DAY, because="moved, to v2"),
        (
            "- [invalidate] Ledger Format :: status "
            '{valid_until=2026-08-01, recorded_at=2026-08-01T00:00:00Z, because="moved, to v2"}'
        ),
    ),
    (
        Line("retract", "Ledger Format", "status", "final", DAY, recorded_at=NINE),
        "- [retract] Ledger Format :: status :: final {valid_from=2026-08-01, recorded_at=2026-08-01T09:30:00Z}",
    ),
    (
        Line("observed", "Atlas", "owner", "Priya", DAY, recorded_at=NINE, note="projects/atlas.md"),
        (
            "- [observed] Atlas :: owner :: Priya "
            "{note=projects/atlas.md, valid_from=2026-08-01, recorded_at=2026-08-01T09:30:00Z}"
        ),
    ),
    (
        Line("withdrawn", "Atlas", "owner", recorded_at=NINE, note="projects/atlas.md"),
        "- [withdrawn] Atlas :: owner {note=projects/atlas.md, recorded_at=2026-08-01T09:30:00Z}",
    ),
    (
        Line("proposed", "Atlas", "owner", many=True, scope="alice", by="tool", proposed="retract"),
        "- [proposed] Atlas :: owner {scope=alice, many, by=tool, kind=retract}",
    ),
    (Line("used", object="a.md#b", hash="0f"), "- [used] a.md#b {hash=0f}"),
    (Line("session", object="mine"), "- [session] mine"),
    (Line("fact", "a", "b", "c", confidence=1.0), "- [fact] a :: b :: c {confidence=1}"),
    (Line("fact", "a", "b", "c", confidence=1e-7), "- [fact] a :: b :: c {confidence=1e-07}"),
]

ESCAPED = [
    (Line("fact", "std::vector", "is a:b", "x::y"), r"- [fact] std\:\:vector :: is a:b :: x::y"),
    (Line("invalidate", "a", "b::c"), r"- [invalidate] a :: b\:\:c"),
    (Line("fact", "a\\", "b", "C:\\dir\\new\\"), r"- [fact] a\ :: b :: C:\dir\\new" + "\\"),
    (Line("fact", "a", "b", "one\ntwo\r\nthree"), r"- [fact] a :: b :: one\ntwo\r\nthree"),
    (Line("fact", "a", "b", "set {1,2}"), "- [fact] a :: b :: set {1,2}"),
    (Line("fact", "a", "b", '{"a": 1}'), '- [fact] a :: b :: {"a": 1}'),
    (Line("fact", "a", "b", "{by=me}"), r"- [fact] a :: b :: \{by=me}"),
    (Line("fact", "a", "b", "{many}"), r"- [fact] a :: b :: \{many}"),
    (Line("fact", "a", "b", "c {x=1}", by="me"), r"- [fact] a :: b :: c \{x=1} {by=me}"),
    (Line("fact", "{by=me}", "{by=me}", "c"), "- [fact] {by=me} :: {by=me} :: c"),
    (Line("invalidate", "a", "{by=me}"), r"- [invalidate] a :: \{by=me}"),
    (Line("fact", "a", "b", "c", by='a "b"'), r'- [fact] a :: b :: c {by="a \"b\""}'),
    (Line("fact", "a", "b", "c", by=" a"), '- [fact] a :: b :: c {by=" a"}'),
    (Line("fact", "a", "b", "c", by="a\\b"), r"- [fact] a :: b :: c {by=a\b}"),
    (Line("fact", "a", "b", "c", by="a,\\b\\"), r'- [fact] a :: b :: c {by="a,\b\\"}'),
    (Line("fact", "a", "b", "c", by="a\nb"), r'- [fact] a :: b :: c {by="a\nb"}'),
    (Line("fact", "a\u2028", "\x0bb\x0c", "c\x00\x85"), "- [fact] a\u2028 :: \x0bb\x0c :: c\x00\x85"),
]


@pytest.mark.parametrize(("line", "text"), WRITTEN + ESCAPED)
def test_a_line_is_written_and_reads_back(line: Line, text: str) -> None:
    assert render(line) == text
    assert parse_line(text) == (line, ())


def test_blanks_round_a_field_are_trimmed_and_empty_texts_are_not_written() -> None:
    line = Line("fact", " a ", "\tb", "c ", confidence=-0.0, by="", because="")
    assert render(line) == "- [fact] a :: b :: c {confidence=0}"
    assert as_read(line) == Line("fact", "a", "b", "c", confidence=0.0)
    assert parse_line(render(line)).line == as_read(line)


def test_what_cannot_be_read_back_does_not_read_back() -> None:
    assert parse_line(render(Line("fact", "", "b", "c"))).line is None
    assert parse_line(render(Line("used", object=" "))).line is None
