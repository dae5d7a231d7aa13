"""Laws about what notes state: the quick way is the grammar, no line is missed, what is stated can be recorded."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from loreweave.events.candidates import candidates
from loreweave.events.extract import extract
from loreweave.events.fields import block_at, fields, fields_by_grammar
from loreweave.events.handwritten import read_handwritten
from loreweave.events.model import Line
from loreweave.events.parse import parse_line
from loreweave.events.render import as_read, render
from loreweave.events.slots import key, object_key
from loreweave.events.statements import Settings, Statement
from loreweave.events.values import LABELS
from loreweave.notes.read import read_note

PIECES = [
    *"[](){}:;,.*_`~|>#\\\"'=-+^!? \té語：",
    *("::", ":: ", ": ", "owner", "Bold Field", "k:: v", "[k:: v]", "(k:: v)", "[[A]]", "[[A|b]], [[C]]", "[a](b)"),
    *("- ", "* ", "1. ", "  - ", "\t", "- [ ] ", "- [x] ", "- [tech] ", "- [fact] ", "[fact]", "- [invalidate] "),
    *(
        "**",
        "**Owner:** ",
        "Owner: ",
        "多：",
        "{",
        "}",
        "{a=b}",
        "{many}",
        "{valid_from=2024-01-01}",
        "{confidence=1, ",
    ),
    *(
        "valid_until=2024-01-01}",
        "~~x~~",
        "%%",
        "<!--",
        "-->",
        "#tag",
        "(context)",
        "^id",
        "`code`",
        "{{x}}",
        "<% x %>",
    ),
    *("a :: b :: c", "\u200b", "\u2028", "\x0b", "\x00", "\ufeff", "x" * 300, "One. Two", "1735689600", "due:: "),
]
FRONT = ["---", "title: Atlas", "title: '\u200b'", "owner: Ana", "members: [Ana, Bo]", "due: 1735689600", "a: {b: c}"]
lines = st.lists(st.sampled_from(PIECES), max_size=8).map("".join) | st.text(max_size=12)
notes = st.tuples(
    st.lists(st.sampled_from(FRONT), max_size=4).map(
        lambda front: "".join(f"{line}\n" for line in ["---", *front, "---"])
    ),
    st.lists(lines | st.sampled_from(["```", "# One", "## Two", "", "- Ana", "  role:: x", "owner:: Bo"]), max_size=8),
).map(lambda parts: parts[0] + "\n".join(parts[1]))
texts = notes | st.lists(lines, max_size=6).map("\n".join)
modes = st.sampled_from([Settings(), Settings(mode="all"), Settings(mode="all", many=frozenset({"owner", "k"}))])


def stated(text: str, settings: Settings, path: str = "notes/Atlas.md") -> tuple[Statement, ...]:
    return extract(read_note(path, text), settings).stated.statements


@given(lines | st.lists(lines, max_size=3).map("\n".join))
@example("[a:: b [c:: d]] (e:: (f)) {confidence=1}")
@example("- ：**|.{many：a")
def test_the_quick_way_reads_fields_as_the_grammar_does(line: str) -> None:
    assert fields(line) == fields_by_grammar(line)


@given(lines)
def test_the_places_of_a_field_are_in_order_within_its_line(line: str) -> None:
    for field in fields(line):
        places = [at for place in (*field.value, *([field.block] if field.block else [])) for at in place]
        assert field.name == field.name.strip()
        assert places == sorted(places) or (field.value and field.block and field.block[0] >= field.value[-1][1])
        assert all(0 <= at <= len(line) for at in places)
    assert 0 <= block_at(line) <= len(line)


@given(st.lists(lines.filter(lambda line: "\n" not in line), max_size=8).map("\n".join), st.booleans())
def test_no_line_that_states_something_is_passed_over(plain: str, labels: bool) -> None:
    starts = [0, *(at + 1 for at, sign in enumerate(plain) if sign == "\n")]
    found = candidates(plain, labels=labels)
    assert found == sorted(set(found) & set(starts))
    for start in set(starts) - set(found):
        line = plain[start:].partition("\n")[0]
        forms = {field.form for field in fields(line.lstrip(" \t"))}
        assert forms <= (set() if labels else set(LABELS))
        written = read_handwritten(line)
        assert written is None or written.fact is None


@given(texts, modes)
@example("---\ntitle: '\u200b'\n---\nowner:: Ana", Settings())
def test_what_a_note_states_can_be_recorded_as_it_stands(text: str, settings: Settings) -> None:
    extracted = extract(read_note("notes/Atlas.md", text), settings)
    last = text.count("\n") + text.count("\r") + 1
    for one in extracted.stated.statements:
        keys = "default", key(one.subject), key(one.predicate), object_key(one.object)
        assert one[7:11] == keys
        assert 1 <= one.line <= last
        line = Line("observed", one.subject, one.predicate, one.object, one.valid_from, one.valid_until)
        line = line._replace(confidence=one.confidence, many=one.many, note=one.path)
        assert parse_line(render(line)) == (as_read(line), ())
    for finding in extracted.findings:
        assert finding.path == "notes/Atlas.md"
        assert 1 <= finding.line <= last
        assert finding.column >= 1
        assert finding.hint


@given(texts, modes)
def test_no_statement_is_made_twice_and_they_stand_in_order(text: str, settings: Settings) -> None:
    found = stated(text, settings)
    assert len({one[7:14] for one in found}) == len(found)
    assert [one.line for one in found] == sorted(one.line for one in found)


@given(texts, modes)
def test_an_unrelated_edit_changes_nothing_a_note_states(text: str, settings: Settings) -> None:
    assert stated(text + "\n\nUnrelated words.\n", settings) == stated(text, settings)


@given(texts)
def test_mode_all_adds_labels_and_takes_nothing_away(text: str) -> None:
    explicit, everything = stated(text, Settings()), stated(text, Settings(mode="all"))
    values = {(one.subject_key, one.predicate_key, one.object_key, one.valid_from) for one in everything}
    for one in explicit:
        assert any(value[:3] == one[8:11] for value in values)


@given(texts, modes)
def test_the_folder_decides_the_scope_and_nothing_else(text: str, settings: Settings) -> None:
    scoped = Settings(settings.mode, settings.ignored, settings.many, (("notes", "Lab"),))
    moved = [one._replace(scope="default", scope_key="default") for one in stated(text, scoped)]
    assert moved == list(stated(text, settings))
