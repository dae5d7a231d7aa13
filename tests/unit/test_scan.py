"""Which lines are prose."""

from __future__ import annotations

import pytest

from loreweave.notes.scan import open_at_end, prose, reads_alone, scan

HIDDEN = {
    "a fence": "```\nx\n```\n",
    "a fence that only one as long closes": "````\n```\nx\n```\n````\n",
    "a fence with an info string": "```lore\nx\n```\n",
    "a fence of tildes, with a backtick in its info string": "~~~ `a`\n```\nx\n~~~\n",
    "a fence in a list item": "- item\n  ```\n  x\n  ```\n",
    "a fence deep in a list": "1. item\n\n   - item\n\n     ```\n     x\n     ```\n",
    "a fence that begins a list item": "- ```\n  x\n  ```\n",
    "a fence in a quote": "> ```\n> x\n> ```\n",
    "a fence never closed": "```\nx\n\ny\n",
    "a comment": "<!-- x -->\n",
    "a comment over lines": "<!--\nx\n\n-->\n",
    "a comment never closed": "<!--\nx\n",
    "a comment between percent signs": "%%\nx\n%%\n",
    "percent signs on one line": "%% x %%\n",
    "percent signs never closed": "%%\nx\n",
    "frontmatter": "---\nx: 1\n---\n",
    "frontmatter in another language": "---js\nx\n---\n",
    "frontmatter between plus signs": "+++\nx = 1\n+++\n",
    "frontmatter after a byte order mark": "\ufeff---\nx: 1\n---\n",
}
PROSE = {
    "a leading thematic break that nothing closes": "---\n\nx\n",
    "a thematic break further down": "x\n---\ny\n---\n",
    "code in a line": "```x``` y\n",
    "a comment mark in code": "write `<!--` or `%%`\nx\n",
    "a mark in a line of the record": "- [fact] a :: b :: 5%% of <!-- and ```\nx\n",
    "a comment mark inside a line that nothing closes": "5%% of x\ny\n",
    "a fence mark in indented code": "    ```\nx\n",
    "separators that end no line": "a\u2028b\x0bc\x0cd\x85e\n",
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_hidden_is(text: str) -> None:
    lines = [line for _, line in prose(text)]
    assert not [line for line in lines if "x" in line]


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_what_follows_is_prose_unless_it_is_open_after(text: str) -> None:
    number = scan(text).line_count() + 1
    assert ((number, "after") in prose(text + "after")) is ("never closed" not in _name(text))


def _name(text: str) -> str:
    return next(name for name, value in HIDDEN.items() if value == text)


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_open_at_the_end_is(text: str) -> None:
    assert open_at_end(text) is ("never closed" in _name(text))


@pytest.mark.parametrize("text", PROSE.values(), ids=PROSE)
def test_prose_is(text: str) -> None:
    assert [line for _, line in prose(text)] == text.split("\n")[:-1]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_at(end: str) -> None:
    text = end.join(["\ufeffone", "```", "two", "```", "", "six"])
    assert list(prose(text)) == [(1, "one"), (5, ""), (6, "six")]
    assert scan(text).line_count() == 6


def test_an_empty_text_has_no_line() -> None:
    assert list(prose("")) == []
    assert scan("").line_count() == 0


def test_a_fence_in_a_list_item_ends_with_the_item() -> None:
    assert list(prose("- item\n  ```\n  x\n- next\n")) == [(1, "- item"), (4, "- next")]
    assert list(prose("> ```\n> x\nafter\n")) == [(3, "after")]


def test_a_comment_that_begins_inside_a_line_hides_the_lines_below_up_to_its_end() -> None:
    assert list(prose("a <!-- b\nx\n--> x\nc\n")) == [(1, "a <!-- b"), (4, "c")]
    assert list(prose("a %% b %% c\nd %% e\nx\n%%\nf\n")) == [(1, "a %% b %% c"), (2, "d %% e"), (5, "f")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("text\n", True),
        ("- item\n", True),
        ("", True),
        ("text", False),
        ("text\r", False),
        ("```\n", False),
        ("- item\n  ```\n", False),
        ("---\n", False),
        ("a <!-- b\n", False),
    ],
)
def test_settled_is_what_no_appended_text_can_change(text: str, expected: bool) -> None:
    assert scan(text).settled is expected


@pytest.mark.parametrize(
    ("text", "expected"), [("- a\n", True), ("\n\ntext", True), ("  text", False), ("\n\t```", False)]
)
def test_a_tail_reads_alone_unless_it_goes_on_in_a_list_item(text: str, expected: bool) -> None:
    assert reads_alone(text) is expected


def test_a_tail_has_no_frontmatter() -> None:
    assert list(scan("---\nx\n---\n", from_top=False).runs()) == [(1, ["---", "x", "---"])]


def test_many_marks_take_no_longer_than_their_number() -> None:
    text = "a <!-- b\n" * 20_000 + "%% %%\n" * 20_000 + "  ```\n  ```\n" * 20_000
    assert scan(text).line_count() == 80_000
