"""Which lines head a section, and what they say."""

from __future__ import annotations

import pytest

from loreweave.notes.headings import headings
from loreweave.notes.nesting import Nesting
from loreweave.notes.scan import scan

HEADINGS = {
    "# Atlas": (1, "Atlas"),
    "###### Atlas": (6, "Atlas"),
    "   ## Atlas  ": (2, "Atlas"),
    "#\tAtlas": (1, "Atlas"),
    "## Atlas ##": (2, "Atlas"),
    "# Atlas #######  ": (1, "Atlas"),
    "# Atlas#": (1, "Atlas#"),
    "# Atlas # of it": (1, "Atlas # of it"),
    "# Atlas \\#": (1, "Atlas \\#"),
    "#": (1, ""),
    "### ###": (3, ""),
    "# `code` and [[link|shown]] *as written*": (1, "`code` and [[link|shown]] *as written*"),
    "## \U0001f6e0\ufe0f Development": (2, "\U0001f6e0\ufe0f Development"),
    "Atlas\n===": (1, "Atlas"),
    "Atlas\n-": (2, "Atlas"),
    "Atlas\n   ---  ": (2, "Atlas"),
    "  Atlas of\n the north  \n---": (2, "Atlas of the north"),
    "[a]: b.md\nAtlas\n===": (1, "Atlas"),
}
TEXT = {
    "no blank beside the mark": "#tag",
    "seven marks": "####### Atlas",
    "a mark with a backslash": "\\# Atlas",
    "four columns in, in a paragraph": "x\n    # Atlas",
    "four columns in": "    # Atlas",
    "a fence": "```\n# Atlas\n```",
    "a fence of four, with one of three inside": "````\n```\n# Atlas\n````",
    "a fence of backticks, with one of tildes inside": "```\n~~~\n# Atlas\n```",
    "a fence in an item": "- x\n  ```\n  # Atlas\n  ```",
    "a fence never closed": "```\n# Atlas",
    "a comment": "<!--\n# Atlas\n-->",
    "a comment between percent signs": "%%\n# Atlas\n%%",
    "frontmatter": "---\n# Atlas\nx: y\n---",
    "HTML": "<div>\n# Atlas\n</div>",
    "a script, below an empty line": "<script>\n\n# Atlas\n</script>",
    "an item": "- # Atlas",
    "an item, further down": "- x\n\n  # Atlas",
    "a quote": "> # Atlas",
    "a paragraph of an item": "- Atlas\n---",
    "a paragraph of an item, further down": "- x\n\n  Atlas\n---",
    "a paragraph of a quote": "> Atlas\n---",
    "a quote that a line at the margin goes on": "> x\nAtlas\n===",
    "nothing above a line": "\n---",
    "a heading above a line": "#Atlas\n\n---",
    "definitions alone above a line": "[a]: b.md\n---",
    "rows of a table": "| a |\n|---|\n| b |",
}


@pytest.mark.parametrize(("text", "expected"), HEADINGS.items(), ids=HEADINGS)
def test_a_heading_is(text: str, expected: tuple[int, str]) -> None:
    assert [heading[:2] for heading in headings(scan(text))] == [expected]
    assert [heading[:2] for heading in headings(scan(f"x\n\n{text}\n\ny\n"))] == [expected]


@pytest.mark.parametrize("text", TEXT.values(), ids=TEXT)
def test_no_heading_is(text: str) -> None:
    assert headings(scan(text)) == ()
    assert headings(scan(text + "\n")) == ()


def test_headings_have_their_levels_and_the_lines_they_stand_on() -> None:
    text = "---\na: b\n---\n# One\ntext\n\nTwo\nlines\n---\n#### Four\n\n  # Five\n"
    assert [tuple(heading) for heading in headings(scan(text))] == [
        (1, "One", 4, 4),
        (2, "Two lines", 7, 9),
        (4, "Four", 10, 10),
        (1, "Five", 12, 12),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_byte_order_mark_and_the_ends_of_lines_move_no_heading(end: str) -> None:
    text = end.join(["\ufeff# One", "", "Two", "===", "x"])
    assert [tuple(heading) for heading in headings(scan(text))] == [(1, "One", 1, 1), (1, "Two", 3, 4)]


@pytest.mark.parametrize("piece", ["-\n", "- a\n  # b\n", "a\n===\n", "  # a\n", "<div>\n# a\n", "[a]: b\n===\n"])
def test_no_line_is_gone_over_again_for_each_heading(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[object] = []
    method = Nesting.step
    monkeypatch.setattr(Nesting, "step", lambda nesting: passed.append(None) or method(nesting))
    text = piece * 3_000
    headings(scan(text))
    assert len(passed) <= text.count("\n")


def test_a_heading_below_a_list_closes_it() -> None:
    text = "- a\n  # in the item\n# One\n   ## Two\n"
    assert [heading.text for heading in headings(scan(text))] == ["One", "Two"]


def test_headings_around_fences_of_every_kind_are_found() -> None:
    text = (
        "# Real\n\n````\n# No\n```\n- [fact] X :: y :: z\n```\n# Nor this\n````\n\n~~~text\n# No\n```\n~~~\n\n"
        "- item\n  ```\n  # No\n  ```\n\n# After\n\n```\n# No, never closed\n"
    )
    assert [heading.text for heading in headings(scan(text))] == ["Real", "After"]
