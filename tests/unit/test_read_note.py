"""A note read as a whole."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from loreweave.notes.model import Note
from loreweave.notes.read import read_note
from loreweave.times import show_day


def values(note: Note) -> dict[str, list[str]]:
    return {entry.name: [item.text for item in entry.items] for entry in note.frontmatter.properties}


def found(note: Note) -> list[tuple[str, int]]:
    assert {finding.path for finding in note.findings} <= {note.path}
    return [(finding.code, finding.line) for finding in note.findings]


def test_a_note_is_read_into_all_its_parts() -> None:
    note = read_note(
        "plans/atlas.md",
        "---\ntitle: Project Atlas\naliases: [Atlas]\ntags: [plan]\ndate: 2026-01-15\n---\n"
        "# Heading\n\nWith [[Priya]] and #work. ^one\n",
    )
    assert (note.path, note.title, note.aliases) == ("plans/atlas.md", "Project Atlas", ("Atlas",))
    assert [tuple(tag) for tag in note.tags] == [("plan", 4), ("work", 9)]
    assert [tuple(heading) for heading in note.headings] == [(1, "Heading", 7, 7)]
    assert [(link.line, link.target) for link in note.links] == [(9, "Priya")]
    assert [(span.anchor, span.start_line) for span in note.spans] == [("Heading", 7)]
    assert note.blocks == ("one",)
    assert note.dated is not None
    assert show_day(note.dated) == "2026-01-15"
    assert json.loads(note.frontmatter.json)["tags"] == ["plan"]
    assert note.findings == ()


def test_a_broken_block_is_a_finding_and_the_note_is_still_read() -> None:
    text = "---\ntitle: Ledger: Format Review\nstatus: draft\ntags: [ledger]\n---\n# Format review\n\nowner:: Priya\n"
    note = read_note("ledger.md", text)
    assert (note.title, values(note), note.tags) == ("Format review", {}, ())
    assert found(note) == [("bad-frontmatter", 2)]
    assert '"title: Ledger: Format Review"' in note.findings[0].message
    assert [heading.line for heading in note.headings] == [6]
    assert "title:" not in note.plain
    assert not any("status" in span.text for span in note.spans)


def test_a_tag_that_yaml_takes_for_a_comment_is_no_tag_and_no_text() -> None:
    note = read_note("a.md", "---\ntags:\n  - #project\n  - ledger\naliases:\n---\nText of a.\n")
    assert [tag.tag for tag in note.tags] == ["ledger"]
    assert (note.aliases, found(note)) == ((), [("empty-item", 3)])


def test_of_a_repeated_key_the_last_wins() -> None:
    note = read_note("dup.md", "---\nstatus: draft\nowner: Kofi\nstatus: final\n---\nBody about the tide gauge.\n")
    assert (values(note), found(note)) == ({"owner": ["Kofi"], "status": ["final"]}, [("duplicate-key", 4)])


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_byte_order_mark_and_any_line_ends_change_nothing(mark: str, end: str) -> None:
    lines = ["---", "status: shipped", "---", "# Ledger", "", "#tag [[Link]]"]
    note = read_note("bom.md", mark + end.join(lines))
    assert (note.title, values(note)) == ("Ledger", {"status": ["shipped"]})
    assert [(span.start_line, span.end_line) for span in note.spans] == [(4, 6)]
    assert [(tag.line, link.line) for tag, link in zip(note.tags, note.links, strict=True)] == [(6, 6)]


def test_a_leading_thematic_break_is_no_frontmatter() -> None:
    note = read_note("rule.md", "---\n\nFirst thoughts about the glacier readings.\n\nowner:: Amara\n")
    assert (values(note), note.frontmatter.end_line, note.findings) == ({}, 0, ())
    assert "First thoughts" in note.plain


def test_a_link_in_a_property_is_a_link_in_quotes_or_without() -> None:
    for written in ("[[Alpha, Beta, and Gamma]]", '"[[Alpha, Beta, and Gamma]]"'):
        note = read_note("a.md", f"---\nrelated: {written}\n---\nText.\n")
        assert [(link.line, link.target) for link in note.links] == [(2, "Alpha, Beta, and Gamma")]
    note = read_note("page.md", '---\nicon: "[[images/pad.svg|Pad]]"\nup: "[[Home#Top|home]]"\n---\nText.\n')
    assert [(link.target, link.heading, link.alias) for link in note.links] == [
        ("images/pad.svg", None, "Pad"),
        ("Home", "Top", "home"),
    ]


def test_colours_and_code_are_no_tags() -> None:
    note = read_note(
        "c.md",
        "# Colours\n\n`#fff` and\n\n```css\n:root { --bg: #222; --link: #0033cc; }\n```\n\n"
        '<span style="color: #EEE">x</span> https://example.org/#frag C# \\#escaped #1984 #theme/dark #y1984',
    )
    assert [tag.tag for tag in note.tags] == ["theme/dark", "y1984"]


def test_emoji_of_several_characters_are_kept_whole() -> None:
    note = read_note("👨‍👩‍👧 family.md", "## 🛠️ Development\n\nText. #👩‍👦\n")
    assert (note.title, note.headings[0].text, note.tags[0].tag) == ("👨‍👩‍👧 family", "🛠️ Development", "👩‍👦")


def test_skills_of_one_file_name_stay_distinct() -> None:
    notes = [read_note(f"skills/{name}/SKILL.md", "# Overview\n") for name in map(str, range(39))]
    assert len({note.title for note in notes}) == 39


@pytest.mark.parametrize(
    "text", ["---js\nmodule.exports = {title: 'x'}\n---\nText.\n", "+++\ntitle = 'x'\n+++\nText.\n"]
)
def test_other_languages_are_neither_run_nor_read(text: str) -> None:
    note = read_note("a.md", text)
    assert (note.title, values(note), note.findings) == ("a", {}, ())
    assert note.plain.split() == ["Text."]


def test_a_note_of_properties_alone_has_one_passage_with_them() -> None:
    (span,) = read_note("a.md", "---\ntitle: Atlas\nstatus: shipped\nmembers: [Ana, Bo]\n---\n").spans
    assert all(word in span.text for word in ("Atlas", "status", "shipped", "Ana", "Bo"))


def test_findings_stand_in_order_of_line() -> None:
    note = read_note("a.md", "---\ndate: soon\ntags: [a, ~]\na: 1\ncreated: then\na: 2\n---\n")
    assert found(note) == [
        ("unreadable-date", 2),
        ("empty-item", 3),
        ("unreadable-date", 5),
        ("duplicate-key", 6),
    ]


PIECES = (
    "--- +++ ``` ~~~ <!-- --> %% # ## - * > | [[ ]] ![[ ]( ) ( { } {{ }} : :: & ! \" ' ` \\ ^a #t === title: date: "
    "tags: aliases: é 👩‍👦 https://e.org <b> </b> $ $$ [x] [^1] [a]: 1."
).split()
BLANKS = ["\n", "\n\n", " ", "\t", "\r", "\r\n", "\n---\n", "\x00", "\u2028", "\ufeff", "\u200b", "\ud800", "    "]
nasty = st.lists(st.sampled_from(PIECES + BLANKS) | st.text(max_size=3), max_size=40).map("".join)


@given(nasty, st.booleans())
@example("", False)
@example("---\n", False)
def test_no_text_raises(text: str, has_frontmatter: bool) -> None:
    note = read_note("plans/a.md", f"---\n{text}\n---\n{text}" if has_frontmatter else text)
    lines = max(1, note.scan.line_count())
    assert note.title.strip()
    assert len(note.plain) == len(note.scan.text)
    assert all(1 <= tag.line <= lines for tag in note.tags)
    assert all(1 <= link.line <= lines for link in note.links)
    assert all(1 <= finding.line <= lines for finding in note.findings)
    assert all(1 <= span.start_line <= span.end_line <= lines for span in note.spans)


@pytest.mark.parametrize(
    "filler", ["a", "#", "[", "(", "`", "\n", "- ", "> ", "*", "_", "<", "|", "é", ":", "#a ", "---\n"]
)
def test_a_large_text_of_one_thing_is_read(filler: str) -> None:
    text = filler * (200_000 // len(filler))
    assert read_note("a.md", text).scan.text == text
