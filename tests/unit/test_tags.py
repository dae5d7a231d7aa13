"""The tags of a note, as Obsidian reads them."""

from __future__ import annotations

import re

import pytest

from loreweave.notes.frontmatter import read_frontmatter
from loreweave.notes.model import Frontmatter, Tag
from loreweave.notes.scan import scan
from loreweave.notes.tags import LONGEST, tags


def in_prose(text: str) -> list[str]:
    return [tag.tag for tag in tags(scan(text), text, Frontmatter())]


def in_properties(block: str) -> list[tuple[str, int]]:
    scanned = scan(f"---\n{block}\n---\n")
    return [tuple(tag) for tag in tags(scanned, " " * len(scanned.text), read_frontmatter(scanned))]


def blanked(text: str, *pieces: str) -> str:
    for piece in pieces:
        text = text.replace(piece, re.sub(".", " ", piece))
    return text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("#atlas", ["atlas"]),
        ("Of #theme/dark and #y1984, #in-progress. #a_b!", ["theme/dark", "y1984", "in-progress", "a_b"]),
        ("- [ ] buy #milk\n> #quoted\n## On #heading", ["milk", "quoted", "heading"]),
        ("tab\t#a\u00a0#b\u3000#c", ["a", "b", "c"]),
        ("#1984 #12 #١٢", []),
        ("#1984a #2024-01 #3d", ["1984a", "2024-01", "3d"]),
        ("#a/ #/b #-- #_ #", ["a", "/b"]),
        ('https://example.org/#frag C# \\#escaped a#b (#c) "#d" *#e* [x](#f)', []),
        ("# Heading\n## #\n#Heading", ["Heading"]),
        ("[[Note #one]] ![[#two]] [text #three]", ["three"]),
        ("#first#second", ["first"]),
        ("#fff and #00B7DA", ["fff", "00B7DA"]),
        ("#标签，后面 #हिन्दी #می‌خواهم #mañana. #straße…", ["标签", "हिन्दी", "می‌خواهم", "mañana", "straße"]),
        ("#👩‍👦 #🏷️x #🏴󠁧󠁢󠁳󠁣󠁴󠁿 #→go", ["👩‍👦", "🏷️x", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "→go"]),
        ("#Atlas #atlas #ATLAS #caf\u00e9 #cafe\u0301", ["Atlas", "caf\u00e9"]),
    ],
)
def test_a_tag_in_prose(text: str, found: list[str]) -> None:
    assert in_prose(text) == found


def test_what_is_blank_in_the_prose_is_no_tag_and_no_blank_before_one() -> None:
    text = "`#fff` `x`#no <b>#no</b> `x` #yes\n```\n#222\n```\n"
    plain = blanked(text, "`#fff`", "`x`", "<b>", "</b>", "```\n#222\n```")
    assert plain.split() == ["#no", "#no", "#yes"]
    assert tags(scan(text), plain, Frontmatter()) == (Tag("yes", 1),)


@pytest.mark.parametrize(
    ("block", "found"),
    [
        ("tags: [Ledger, '#project', theme/dark]", [("Ledger", 2), ("project", 2), ("theme/dark", 2)]),
        ("tags:\n  - a\n  -\n  - machine learning", [("a", 3), ("machine learning", 5)]),
        ("tags: one, two three", [("one", 2), ("two", 2), ("three", 2)]),
        ("tags: '#one #two'", [("one", 2), ("two", 2)]),
        ("tag: x\nTags: y", [("x", 2), ("y", 3)]),
        ("tags: 2024", [("2024", 2)]),
        ("tags: [a, A, '#a']", [("a", 2)]),
        ("tags:\n  - #project\n  - ledger", [("ledger", 4)]),
        ("tags:", []),
        ("tags: ['', '#', '\u200b', null]", []),
        ("tags: {a: b}", []),
    ],
)
def test_a_tag_in_properties(block: str, found: list[tuple[str, int]]) -> None:
    assert in_properties(block) == found


def test_tags_stand_in_order_of_line_and_once() -> None:
    text = "---\ntags: [Atlas]\n---\n\n#plan\nx #atlas #other\n#plan\n"
    scanned = scan(text)
    assert tags(scanned, blanked(text, "---\ntags: [Atlas]\n---"), read_frontmatter(scanned)) == (
        Tag("Atlas", 2),
        Tag("plan", 5),
        Tag("other", 6),
    )


@pytest.mark.parametrize("filler", ["#", "a", "#a", "[[", "[[a", " #", "#é", "#，", "#\u200d", "/", "-"])
def test_a_large_text_of_one_thing_is_gone_through(filler: str) -> None:
    found = in_prose(filler * (1_000_000 // len(filler)))
    assert len(found) <= 1
    assert all(len(tag) <= LONGEST for tag in found)


def test_a_tag_of_more_than_200_characters_is_none() -> None:
    assert LONGEST == 200
    assert [len(tag) for tag in in_prose(f"#{'a' * 200} #{'b' * 201}")] == [200]


def test_blank_lines_at_the_top_count() -> None:
    assert tags(scan("\n\n#a"), "\n\n#a", Frontmatter()) == (Tag("a", 3),)
