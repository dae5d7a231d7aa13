"""What a note is called, and the other names it goes by."""

from __future__ import annotations

import pytest

from loreweave.notes.frontmatter import read_frontmatter
from loreweave.notes.model import Frontmatter, Heading
from loreweave.notes.scan import scan
from loreweave.notes.titles import LONGEST, aliases_of, title_of

NOTHING = Frontmatter()


def properties(block: str) -> Frontmatter:
    return read_frontmatter(scan(f"---\n{block}\n---\n"))


def under(*headings: tuple[int, str], path: str = "plans/file.md") -> str:
    found = [Heading(level, text, line, line) for line, (level, text) in enumerate(headings, 1)]
    return title_of(path, NOTHING, found)


@pytest.mark.parametrize(
    ("block", "title"),
    [
        ("title: Atlas\nname: Other", "Atlas"),
        ("name: Atlas", "Atlas"),
        ("Title: Atlas", "Atlas"),
        ("title:\nname: Atlas", "Atlas"),
        ("title: '\u200b \u200f'\nname: Atlas", "Atlas"),
        ("title: [Atlas]", "Heading"),
        ("title: {a: b}", "Heading"),
        ("title: '{{title}}'", "Heading"),
        ("title: 2024", "2024"),
        ("title: NO", "NO"),
        ("title: README", "README"),
        ("title: '[[Atlas|plan]] again'", "Atlas again"),
        ("title: |\n  Atlas\n  again", "Atlas again"),
        ("title: A *b* c", "A *b* c"),
        ("other: Atlas", "Heading"),
    ],
)
def test_a_property_names_a_note_before_its_heading_does(block: str, title: str) -> None:
    assert title_of("plans/file.md", properties(block), [Heading(1, "Heading", 9, 9)]) == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Atlas", "Atlas"),
        ("  Project   Atlas ", "Project Atlas"),
        ("[[Atlas]] **plan**", "Atlas plan"),
        ("[Atlas](plans/atlas.md) and *`so` on*", "Atlas and so on"),
        (r"C\# and C++ & snake_case_name", "C# and C++ & snake_case_name"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("`**kwargs`", "**kwargs"),
        ("Atlas <!-- a comment --><br>", "Atlas"),
        ("[![build](b.svg)](ci.md) ![[logo.png]] Atlas", "build Atlas"),
        ("![Atlas](logo.png)", "Atlas"),
        ("Atlas {#plan}", "Atlas"),
        ("Atlas ^plan-1", "Atlas"),
        ("[[people/Priya.md|P]] & [[Ana|A]]", "Priya & Ana"),
    ],
)
def test_a_heading_is_shown_without_its_marks(text: str, title: str) -> None:
    assert under((1, text)) == title


def test_the_first_heading_of_level_one_that_says_something_names_a_note() -> None:
    assert under((2, "Before"), (1, "  "), (1, "\u200b"), (1, "<% tp.file.title %>"), (1, "Atlas"), (1, "B")) == "Atlas"
    assert under((2, "Before")) == "file"


@pytest.mark.parametrize("generic", ["README", "Overview", "index", "Notes", "_index", "**Summary**", "AGENTS"])
def test_a_heading_that_says_only_what_kind_of_file_this_is_names_nothing(generic: str) -> None:
    assert under((1, generic), (1, "Later")) == "file"
    assert under((1, generic + " of Atlas")) == generic.strip("*") + " of Atlas"


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("Atlas.md", "Atlas"),
        ("plans/Atlas.v2.MD", "Atlas.v2"),
        ("plans/2026-08-05 Review.md", "2026-08-05 Review"),
        ("plans/Atlas/README.md", "Atlas"),
        ("plans/Atlas/readme.MD", "Atlas"),
        ("skills/mend/SKILL.md", "mend"),
        ("docs/_index.md", "docs"),
        ("README.md", "README"),
        ("README.zh.md", "README.zh"),
        ("plans/\u200b.md", "plans"),
        ("\u200b.md", "\u200b.md"),
        (" \t.md", ".md"),
        ("two\n lines .md", "two lines"),
        ("👨‍👩‍👧 family.md", "👨‍👩‍👧 family"),
    ],
)
def test_a_note_without_a_title_is_named_by_its_file_or_folder(path: str, title: str) -> None:
    assert title_of(path, NOTHING, []) == title


@pytest.mark.parametrize(
    "filler", ["a", "*a", "_a ", "[", "[[a", "[a](", "`", "``a` ", "<a ", "<!--", "\\", "{#", "%%a", "é"]
)
def test_a_title_is_bounded_whatever_it_is_made_of(filler: str) -> None:
    text = filler * (2_000_000 // len(filler))
    assert 0 < len(under((1, text))) <= LONGEST
    assert 0 < len(title_of("a.md", properties(f"title: '{text[:100_000]}'"), [])) <= LONGEST


@pytest.mark.parametrize(
    ("block", "aliases"),
    [
        ("aliases:\n  -\n  - Ledger Doc", ("Ledger Doc",)),
        ("aliases: Single String", ("Single String",)),
        ("aliases: Smith, John", ("Smith, John",)),
        ("aliases:", ()),
        ("aliases: [2024, true]", ("2024", "true")),
        ("alias: A\nAliases: [B, ' C ', B]", ("B", "C", "A")),
        ("aliases: {a: b}", ()),
        ("other: x", ()),
    ],
)
def test_aliases_are_text_as_written(block: str, aliases: tuple[str, ...]) -> None:
    assert aliases_of(properties(block)) == aliases
