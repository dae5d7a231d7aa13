"""Laws about lines: the fast way to read is the grammar, writing is reading backwards, a file's tail reads alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

from hypothesis import example, given, settings
from hypothesis import strategies as st

from loreweave.events.attributes import MEANINGFUL, PROPOSABLE, instant
from loreweave.events.braces import attribute_braces
from loreweave.events.grammar import ATTRIBUTES as NAMES
from loreweave.events.lines import parse_by_grammar
from loreweave.events.matcher import match
from loreweave.events.model import JOURNAL_KINDS, KINDS, SLOT_KINDS, Line
from loreweave.events.parse import parse_line
from loreweave.events.read import JOURNAL, LEDGER, can_follow, read_record
from loreweave.events.render import as_read, render
from loreweave.events.rows import id_of
from loreweave.notes.scan import open_at_end, prose
from loreweave.notes.visible import is_blank
from loreweave.times import read_instant, show_instant

PIECES = [
    *"::{}\\\"',=- \t\r\n[]()%<>`~#xé",
    *("::", "\\:", "\\\\", "\\n", "\\{", "\\r", '\\"', "{a=", "{by=", "=x}", "by=b", "many", "{many}", ", ", "n", "r"),
    *(
        "valid_from=2024-01-01",
        "recorded_at=2024-02-30",
        "confidence=1",
        "scope=",
        "kind=fact",
        "- [fact] ",
        "](",
        "[[",
    ),
    *("```", "~~~", "<!--", "-->", "%%", "---", "\u200b", "\u2028", "\x0b", "\x0c", "\x00", "\ufeff", "\u3000", "語"),
]
texts = st.lists(st.sampled_from(PIECES), max_size=8).map("".join) | st.text(max_size=12)
values = texts.filter(lambda text: not is_blank(text))
instants = st.one_of(
    st.integers(read_instant("0001-01-01"), read_instant("9999-12-31")),
    st.integers(19_000, 21_000).map(lambda day: day * 86_400_000_000),
    st.integers(1_700_000_000, 1_800_000_000).map(lambda second: second * 1_000_000),
)
ATTRIBUTES = {
    "valid_from": instants,
    "valid_until": instants,
    "recorded_at": instants,
    "confidence": st.floats(0, 1),
    "source": st.sampled_from(["stated", "inferred", "extracted"]) | texts,
    "scope": texts,
    "many": st.booleans(),
    "kind": st.sampled_from(PROPOSABLE),
}


@st.composite
def lines(draw: st.DrawFn) -> Line:
    """Any line that can be written: fields that are not blank, and only attributes that its kind knows."""
    kind = draw(st.sampled_from(sorted(KINDS)))
    given_ = {}
    for name in sorted(MEANINGFUL[kind]):
        if draw(st.booleans()):
            given_["proposed" if name == "kind" else name] = draw(ATTRIBUTES.get(name, texts))
    subject, predicate = (draw(values), draw(values)) if kind in SLOT_KINDS else (None, None)
    needs_object = kind not in ("invalidate", "retract", "withdrawn") and given_.get("proposed", "fact") == "fact"
    named = draw(values) if needs_object or draw(st.booleans()) else None
    return Line(kind, *map(_without_edge_blanks, (subject, predicate, named)), **given_)


def _without_edge_blanks(text: str | None) -> str | None:
    return None if text is None else text.strip(" \t")


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A line as written, then cut, doubled, or with something put into it."""
    text = draw(lines().map(render))
    for _ in range(draw(st.integers(0, 3))):
        at, to = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        text = draw(
            st.sampled_from(
                [text[:at] + text[to:], text[:to] + text[at:], text[:at] + draw(st.sampled_from(PIECES)) + text[at:]]
            )
        )
    return text


tagged = st.tuples(st.sampled_from(sorted(KINDS)), texts, texts, texts).map(
    lambda parts: f"- [{parts[0]}] {parts[1]}::{parts[2]}{{{parts[3]}}}"
)
any_text = damaged() | tagged | texts


@given(any_text)
def test_what_the_matcher_takes_the_grammar_reads_alike_and_without_a_finding(text: str) -> None:
    taken = match(text)
    if taken is not None:
        assert parse_by_grammar(text) == (taken, ())


@given(any_text)
def test_a_reading_has_a_line_or_an_error_or_nothing_of_the_record(text: str) -> None:
    line, findings = parse_line(text)
    errors = [finding for finding in findings if finding.severity == "error"]
    assert not (line and errors)
    assert all(finding.column >= 1 and finding.message.endswith(".") and finding.hint for finding in findings)


KNOWN = rf"(?P<known>(?:{'|'.join(NAMES)})[ \t]*[=:])"
TO_THE_END = r'(?:"(?:[^"\\]|\\.)*+"|[^{}"])*+\}[ \t]*\Z'
BEGINNING = rf"[ \t]*(?:{KNOWN}|[A-Za-z_][\w-]*[ \t]*=[ \t]*{TO_THE_END}|many[ \t]*(?:,{TO_THE_END}|\}}[ \t]*\Z))"
brace_like = re.compile(rf"\\.|\{{(?={BEGINNING})")
"""The braces that read like attributes, each by looking on to the end: what is read with one look is held to it."""


@given(
    st.lists(st.sampled_from(['"', "\\", "{", "}", "{a=", "{by=", "{many", ",", " ", "x", '{b="', '\\"', "}"])).map(
        "".join
    )
)
def test_braces_that_read_like_attributes_are_found_in_one_go(text: str) -> None:
    found = [(at.start(), at["known"] is not None) for at in brace_like.finditer(text) if at[0] == "{"]
    assert list(attribute_braces(text)) == found


@given(lines())
def test_law_20_a_line_written_reads_back_without_a_finding(line: Line) -> None:
    text = render(line)
    assert "\n" not in text
    assert "\r" not in text
    assert parse_line(text) == (as_read(line), ())
    assert parse_by_grammar(text) == (as_read(line), ())


@given(lines())
def test_what_was_read_is_written_as_it_was(line: Line) -> None:
    text = render(line)
    assert render(as_read(line)) == text


@given(st.lists(lines(), max_size=6), st.sampled_from(["\n", "\r\n", "\r"]))
def test_every_line_written_to_a_file_is_read_from_it(written: list[Line], end: str) -> None:
    here = [line for line in written if line.kind in JOURNAL_KINDS]
    text = "".join(render(line) + end for line in here)
    record = read_record(JOURNAL + "2024-01-01.md", text)
    quarantined = {finding.line for finding in record.findings if finding.severity == "error"}
    assert [row[-1] for row in record.rows] == [n for n, _ in enumerate(here, 1) if n not in quarantined]
    assert record.lines == len(here)


@given(lines(), lines(), instants)
def test_ids_are_equal_where_what_is_written_is_equal(one: Line, other: Line, recorded_at: int) -> None:
    same = _sound(one) == _sound(other)
    assert (id_of(as_read(one), recorded_at) == id_of(as_read(other), recorded_at)) is same
    assert id_of(one, recorded_at, ("a",)) != id_of(one, recorded_at)


def _sound(line: Line) -> Line:
    """The line as read, without its own record time; an empty scope is quarantined, so its id does not matter."""
    return as_read(line)._replace(recorded_at=None, scope=line.scope or None)


FACTS = [
    "[fact] Atlas :: status :: open {recorded_at=2024-01-02}",
    "[fact] Atlas :: status :: open %% ``` <!-- {recorded_at=2024-01-05}",
    "[fact] Atlas :: status :: open",
    "[invalidate] Atlas :: status",
    "[Fact] Atlas :: status :: open",
]
LEADS = ["", *"|- |1. |> |  |   |    |\t|-   |-     |  - |> - |- - |  > |     ".split("|")]
SAID = [*"```|```|````|~~~|~~~ a|text||<!--|-->|%%|* * *".split("|"), *(f"- {fact}" for fact in FACTS)]
WHOLE = ["a <!-- b", "a %% b", "`%%`", "---", "<<<<<<< ours", "=======", ">>>>>>> theirs", "- x <!-- -->"]
markdown_line = st.tuples(st.sampled_from(LEADS), st.sampled_from(SAID)).map("".join) | st.sampled_from(WHOLE)
markdown = st.lists(markdown_line, max_size=12).map(lambda found: "".join(line + "\n" for line in found))
"""Fences, comments and lines of the record, in list items and quotes more often than not."""


@st.composite
def cut(draw: st.DrawFn) -> tuple[str, str]:
    """A text, its lines ended in any way, as what stood there and what was appended."""
    ends = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", ""])
    text = [line + draw(ends) for line in draw(st.lists(markdown_line | st.just("\ufeff"), max_size=9))]
    at = draw(st.integers(0, len(text)))
    return "".join(text[:at]), "".join(text[at:])


@given(cut())
@example(("", "---\na\n---\n"))
def test_a_tail_reads_alone_as_it_reads_in_its_file(parts: tuple[str, str]) -> None:
    _reads_alike(*parts)


def test_every_short_text_of_fences_in_items_and_quotes_reads_alike_wherever_it_is_cut() -> None:
    fences = ["```\n", "  ```\n", "- ```\n", "1. ```\n", "> ```\n", "  > ```\n"]
    for lines in product([f"- {FACTS[0]}\n", *fences], repeat=4):
        for at in range(1, 4):
            _reads_alike("".join(lines[:at]), "".join(lines[at:]))


def _reads_alike(head: str, tail: str) -> None:
    """Hold what is said of ``can_follow``: a tail that reads alone reads as it does in its file."""
    path = JOURNAL + "2024-01-01.md"
    above = read_record(path, head)
    if can_follow(above.tail, tail):
        below, whole = read_record(path, tail, above.tail), read_record(path, head + tail)
        assert above.rows + below.rows == whole.rows
        assert above.findings + below.findings == whole.findings
        assert (below.lines, below.latest, below.tail) == (whole.lines, whole.latest, whole.tail)


@given(markdown)
def test_prose_lines_keep_their_numbers_and_what_is_open_hides_what_follows(text: str) -> None:
    numbered = dict(enumerate(text.split("\n"), 1))
    assert all(numbered[number] == line for number, line in prose(text))
    appended = "- [fact] Atlas :: status :: open"
    is_prose = (text.count("\n") + 1, appended) in prose(text + appended)
    assert is_prose is not open_at_end(text)


digits = st.integers(0, 99).map("{:02}".format)
some_times = st.tuples(
    st.sampled_from(["0001-01-01", "9999-12-31", "2024-06-01", "2024-02-30", "0000-01-01"]),
    st.sampled_from(["T", "T", " ", "t"]),
    st.sampled_from(["00:00", "23:59", "23:59:59", "09:30:00", "24:00"]) | st.tuples(digits, digits).map(":".join),
    st.sampled_from(["", ".5", ".123456", ".999999", ".1234567", "+01", "-01"]),
    st.sampled_from(["Z", "Z", "", ".5Z", "+01", "-01", "+01:30", "-23:59"]),
).map("".join)


@st.composite
def damaged_times(draw: st.DrawFn) -> str:
    """A time, with a stretch of it cut out or a sign put in."""
    text = draw(some_times)
    at, to = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
    return text[:at] + draw(st.sampled_from(["", *"0123456789-T :.Z+\n٣"])) + text[to:]


@settings(max_examples=400)
@given(some_times | damaged_times() | st.text(alphabet="0123456789-T :.Z+", max_size=30))
@example("9999-12-31T23:30-01.5Z")
@example("2024-06-01T09:30+01.5Z")
def test_instants_read_fast_are_instants_read(text: str) -> None:
    read = _or_error(instant, text)
    assert read == _or_error(read_instant, text)
    assert isinstance(read, str) or read_instant(show_instant(read)) == read


def _or_error(read: Callable[[str], int], text: str) -> int | str:
    try:
        return read(text)
    except ValueError as wrong:
        return str(wrong)


def test_a_line_of_the_ledger_keeps_its_place() -> None:
    text = "- [observed] Atlas :: owner :: Priya {note=atlas.md, recorded_at=2024-01-01}\n"
    assert re.fullmatch("[0-9a-f]{24}", str(read_record(LEDGER + "2024-01-01-0001.md", text).rows[0][0]))
