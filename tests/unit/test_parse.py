"""What one line says, what is wrong with one that says nothing, and how to write it."""

from __future__ import annotations

import re

import pytest

from loreweave.events import braces
from loreweave.events.grammar import ATTRIBUTES, grammar
from loreweave.events.model import KINDS, Line
from loreweave.events.parse import parse_line
from loreweave.times import read_instant

DAY = read_instant("2024-06-01")
NINE = read_instant("2024-06-01T09:30:00Z")

READ = {
    "- [fact] Atlas :: status :: open": Line("fact", "Atlas", "status", "open"),
    "*\t[fact]Atlas::status::open  ": Line("fact", "Atlas", "status", "open"),
    "    + [fact]   Atlas  ::  status  ::  open": Line("fact", "Atlas", "status", "open"),
    "- [fact] Atlas :: status :: a::b :: c": Line("fact", "Atlas", "status", "a::b :: c"),
    "- [fact] a:b :: c: :: :d": Line("fact", "a:b", "c:", ":d"),
    r"- [fact] a\:\:b :: c\\ :: C:\dir\new \{many}": Line("fact", "a::b", "c\\", "C:\\dir\new {many}"),
    "- [fact] Atlas :: parts :: set {1,2}": Line("fact", "Atlas", "parts", "set {1,2}"),
    '- [fact] Atlas :: parts :: {"a": 1}': Line("fact", "Atlas", "parts", '{"a": 1}'),
    "- [fact] Atlas :: sum :: x_{n=1}^2": Line("fact", "Atlas", "sum", "x_{n=1}^2"),
    "- [fact] Atlas :: path :: {a} {by=me}": Line("fact", "Atlas", "path", "{a}", by="me"),
    "- [fact] Atlas :: tag :: red {many}": Line("fact", "Atlas", "tag", "red", many=True),
    "- [fact] Atlas :: tag :: red { many , by = me , }": Line("fact", "Atlas", "tag", "red { many , by = me , }"),
    "- [fact] Atlas :: tag :: red { by = me , many } ": Line("fact", "Atlas", "tag", "red", many=True, by="me"),
    '- [fact] A :: b :: c {valid_from="2024-06-01"}': Line("fact", "A", "b", "c", valid_from=DAY),
    "- [fact] A :: b :: c {confidence=1, scope=}": Line("fact", "A", "b", "c", confidence=1.0, scope=""),
    '- [fact] A :: b :: c {by=, because=""}': Line("fact", "A", "b", "c"),
    r'- [fact] A :: b :: c {because="say \"a, {b}\"\n\\n"}': Line("fact", "A", "b", "c", because='say "a, {b}"\n\\n'),
    "- [fact] A :: b ::": Line("fact", "A", "b", ""),
    "- [fact] A :: b :: {by=me}": Line("fact", "A", "b", "", by="me"),
    "- [invalidate] A :: b {valid_until=2024-06-01}": Line("invalidate", "A", "b", valid_until=DAY),
    "- [invalidate] A :: b :: {by=me}": Line("invalidate", "A", "b", by="me"),
    "- [invalidate] A :: b :: \u200b": Line("invalidate", "A", "b"),
    "- [invalidate] A :: b {x} :: c": Line("invalidate", "A", "b {x}", "c"),
    "- [retract] A :: b :: c {valid_from=2024-06-01}": Line("retract", "A", "b", "c", valid_from=DAY),
    "- [observed] A :: b :: c {note=a.md, recorded_at=2024-06-01T09:30Z}": Line(
        "observed", "A", "b", "c", note="a.md", recorded_at=NINE
    ),
    "- [withdrawn] A :: b :: c {note=a.md, many}": Line("withdrawn", "A", "b", "c", note="a.md", many=True),
    "- [proposed] A :: b {kind=retract, by=me}": Line("proposed", "A", "b", by="me", proposed="retract"),
    "- [proposed] A :: b :: c {by=me, kind=fact}": Line("proposed", "A", "b", "c", by="me", proposed="fact"),
    "- [rejected] 1f2e {by=me}": Line("rejected", object="1f2e", by="me"),
    "- [used] a.md#b :: c {hash=0f}": Line("used", object="a.md#b :: c", hash="0f"),
    "- [session] mine": Line("session", object="mine"),
    "- [walked] 1f2e3d": Line("walked", object="1f2e3d"),
}

NOTHING = [
    "",
    "text with a [fact] :: in :: it",
    "- bullet",
    "- [fact](page.md) :: a :: b",
    "- [Session] with Priya",
    "- [x] done",
    "[fact]: address",
    "- [category] a :: b :: c",
]

UNREAD = {
    "- [fact]": ("missing-field", 9, "subject"),
    "- [fact] :: b :: c": ("missing-field", 10, "subject"),
    "- [fact] a": ("missing-field", 11, "predicate"),
    "- [fact] a ::": ("missing-field", 14, "predicate"),
    "- [fact] a :: :: c": ("missing-field", 19, "predicate"),
    "- [fact] a :: b": ("missing-field", 16, "object"),
    "- [fact] a :: b {by=me}": ("missing-field", 24, "object"),
    "- [observed] a :: b": ("missing-field", 20, "object"),
    "- [invalidate] a": ("missing-field", 17, "predicate"),
    "- [invalidate] a :: {by=me}": ("missing-field", 21, "predicate"),
    "- [proposed] a :: b": ("missing-field", 20, "object"),
    "- [used] {hash=0f}": ("missing-field", 10, "name"),
    "- [walked]": ("missing-field", 11, "name"),
    "- [fact] a :: b :: c\nd": ("unreadable-line", 21, "U+000A"),
    "- [fact] a :: b :: c {valid_from=notadate}": ("bad-attribute", 23, '"notadate"'),
    "- [fact] a :: b :: c {valid_from=}": ("bad-attribute", 23, '""'),
    "- [fact] a :: b :: c {by=me, valid_until=2026-02-30}": ("bad-attribute", 30, '"2026-02-30"'),
    "- [fact] a :: b :: c {confidence=1.1}": ("bad-attribute", 23, '"1.1"'),
    "- [fact] a :: b :: c {confidence=nan}": ("bad-attribute", 23, '"nan"'),
    "- [fact] a :: b :: c {confidence=inf}": ("bad-attribute", 23, '"inf"'),
    "- [fact] a :: b :: c {confidence=1_0}": ("bad-attribute", 23, '"1_0"'),
    "- [fact] a :: b :: c {by=me, by=you}": ("bad-attribute", 30, '"by"'),
    "- [fact] a :: b :: c {many, many}": ("bad-attribute", 29, '"many"'),
    "- [fact] a :: b :: c {many=yes}": ("bad-attribute", 23, '"many"'),
    "- [proposed] a :: b :: c {kind=boss}": ("bad-attribute", 27, '"boss"'),
    '- [fact] a :: b :: c {because="moved}': ("bad-attribute", 22, "quote"),
    "- [Fact] a :: b :: c": ("near-miss", 3, '"[Fact]"'),
    "- [ fact ] a :: b :: c": ("near-miss", 3, '"[ fact ]"'),
    "- [facts] a :: b :: c": ("near-miss", 3, '"[facts]"'),
    r"- \[fact\] a :: b :: c": ("near-miss", 3, "[fact"),
    "1. [fact] a :: b :: c": ("near-miss", 4, "bullet"),
    "• [fact] a :: b :: c": ("near-miss", 3, "bullet"),
    "[fact] a :: b :: c": ("near-miss", 1, "bullet"),
    "- [x] [fact] a :: b :: c": ("near-miss", 7, "task box"),
    "- [ ] [invalidate] a :: b": ("near-miss", 7, "task box"),
    "> - [fact] a :: b :: c": ("near-miss", 5, "quote"),
    "- [Used] a.md {hash=0f}": ("near-miss", 3, '"[Used]"'),
}

WARNED = {
    "- [fact] a :: b :: c {valid_form=2024-01-01}": ("looks-like-attributes", 22, "c {valid_form=2024-01-01}"),
    "- [fact] a :: b :: c {valid_from=2024-01-01, so}": ("looks-like-attributes", 22, "c {valid_from=2024-01-01, so}"),
    "- [fact] a :: b :: c {valid_from: 2024-01-01}": ("looks-like-attributes", 22, "c {valid_from: 2024-01-01}"),
    "- [fact] a :: b :: c {by=me} d": ("looks-like-attributes", 22, "c {by=me} d"),
    "- [fact] a :: b :: c {by=me": ("looks-like-attributes", 22, "c {by=me"),
    "- [fact] a :: b :: {x=1}": ("looks-like-attributes", 20, "{x=1}"),
    "- [fact] a :: b :: c {by=me, valid_form=2024-01-01}": ("unknown-attribute", 30, "c"),
    "- [fact] a :: b :: c {hash=0f}": ("unknown-attribute", 23, "c"),
    "- [retract] a :: b :: c {many}": ("unknown-attribute", 26, "c"),
    "- [invalidate] a :: b :: c {confidence=nan}": ("unknown-attribute", 29, "c"),
}


@pytest.mark.parametrize("text", READ, ids=READ)
def test_a_line_says(text: str) -> None:
    line, findings = parse_line(text)
    assert line == READ[text]
    assert [finding.code for finding in findings] in ([], ["looks-like-attributes"])
    assert bool(findings) is text.endswith(", }")


@pytest.mark.parametrize("text", NOTHING)
def test_prose_says_nothing_of_the_record(text: str) -> None:
    assert parse_line(text) == (None, ())


@pytest.mark.parametrize("text", UNREAD, ids=UNREAD)
def test_a_line_that_cannot_be_read_says_why_and_where(text: str) -> None:
    code, column, quoted = UNREAD[text]
    line, (finding, *_) = parse_line(text)
    assert line is None
    assert (finding.code, finding.column) == (code, column)
    assert quoted in finding.message
    assert finding.hint


@pytest.mark.parametrize("text", WARNED, ids=WARNED)
def test_a_line_that_is_read_with_a_warning(text: str) -> None:
    code, column, value = WARNED[text]
    line, (finding,) = parse_line(text)
    assert (finding.code, finding.column, finding.severity) == (code, column, "warning")
    assert line is not None
    assert line.object == value


def test_every_attribute_that_is_wrong_is_named() -> None:
    line, findings = parse_line("- [fact] a :: b :: c {confidence=2, valid_from=now, valid_utnil=x}")
    assert line is None
    assert [finding.column for finding in findings] == [23, 37, 53]
    assert findings[2].hint == "write valid_until"


def test_the_missing_field_is_told_with_the_form_of_the_line() -> None:
    _, (finding,) = parse_line("- [fact] Atlas :: status")
    assert finding.message == 'This [fact] line has no object: "- [fact] Atlas :: status".'
    assert finding.hint == 'write "- [fact] Subject :: predicate :: Object"'


def test_a_thousand_unclosed_braces_take_no_longer_than_their_number() -> None:
    text = "- [fact] a :: b :: " + "{by=a, " * 20_000 + '{by="' * 20_000 + " " * 100_000
    assert [finding.code for finding in parse_line(text).findings] == ["looks-like-attributes"]
    assert parse_line(" " * 200_000 + "x") == (None, ())


def test_no_brace_is_looked_ahead_from_to_the_end_of_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []
    look = braces._ends
    monkeypatch.setattr(braces, "_ends", lambda field, places: looks.append(field) or look(field, places))
    text = "- [fact] a :: b :: {a=" + '\\"{a=" ' * 20_000
    assert [finding.code for finding in parse_line(text + "}").findings] == ["looks-like-attributes"]
    assert parse_line(text).findings == ()
    assert len(looks) == 2


def test_the_grammar_has_a_rule_and_a_tag_for_every_kind() -> None:
    assert set(re.findall(r"^(\w+): [A-Z]+ _\w+$", grammar(), re.MULTILINE)) == set(KINDS)
    assert set(re.findall(r"\\\[(\w+)\\\]", grammar())) == set(KINDS)


def test_every_attribute_is_a_field_of_a_line_and_kind_is_what_is_proposed() -> None:
    assert {"proposed" if name == "kind" else name for name in ATTRIBUTES} == set(Line._fields[4:])
