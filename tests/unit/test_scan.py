"""Which lines are prose."""

from __future__ import annotations

import pytest

from loreweave.notes.nesting import Nesting
from loreweave.notes.scan import open_at_end, prose, reads_alone, scan
from loreweave.notes.scanner import Scanner

HIDDEN = {
    "a fence": "```\nx\n```\n",
    "a fence that only one as long closes": "````\n```\nx\n```\n````\n",
    "a fence with an info string": "```lore\nx\n```\n",
    "a fence of tildes, with a backtick in its info string": "~~~ `a`\n```\nx\n~~~\n",
    "a fence in a list item": "- item\n  ```\n  x\n  ```\n",
    "a fence deep in a list": "1. item\n\n   - item\n\n     ```\n     x\n     ```\n",
    "a fence that begins a list item": "- ```\n  x\n  ```\n",
    "a fence far in, in an item whose mark is followed by one blank and code": "-     a\n\n  ```\n  x\n  ```\n",
    "a fence in an item of an item on one line": "- - a\n    ```\n    x\n    ```\n",
    "a fence below an item after a tab": "-\ta\n\n\t```\n\tx\n\t```\n",
    "a fence below a fence that begins an item": "1. ```\n   x\n   ```\n   ```\n   x\n   ```\n",
    "a fence in a quote in an item": "- a\n  > ```\n  > x\n  > ```\n",
    "a fence in a quote": "> ```\n> x\n> ```\n",
    "a fence never closed": "```\nx\n\ny\n",
    "a comment": "<!-- x -->\n",
    "a comment over lines": "<!--\nx\n\n-->\n",
    "a comment never closed": "<!--\nx\n",
    "a comment between percent signs": "%%\nx\n%%\n",
    "percent signs on one line": "%% x %%\n",
    "percent signs never closed": "%%\nx\n",
    "a comment never closed, below one that closes nowhere": "a <!-- b\n<!-- x never closed\n",
    "a comment in a paragraph": "a <!-- b\nx\nx -->\n",
    "a fence below HTML and an empty line": "<div>\n\n```\nx\n```\n",
    "a fence below a preformatted text": "<pre>\n\na\n</pre>\n```\nx\n```\n",
    "frontmatter": "---\nx: 1\n---\n",
    "frontmatter that begins with an empty line": "---\n\nx: 1\n---\n",
    "frontmatter in another language": "---js\nx\n---\n",
    "frontmatter between plus signs": "+++\nx = 1\n+++\n",
    "frontmatter after a byte order mark": "\ufeff---\nx: 1\n---\n",
}
PROSE = {
    "a leading thematic break that nothing closes": "---\n\nx\n",
    "what stands between thematic breaks at the top": "---\n\nFirst thoughts of x.\n\n---\ny\n",
    "a thematic break further down": "x\n---\ny\n---\n",
    "code in a line": "```x``` y\n",
    "a comment mark in code": "write `<!--` or `%%`\nx\n",
    "a comment mark in code between two backticks": "write ``<!--`` or `` ` %% ``\nx -->\ny %%\n",
    "a comment mark in code over two lines": "write `a\nb <!-- c`\nx -->\n",
    "a comment mark in indented code": "    <!--\n    %%\nx\n",
    "a comment mark that its paragraph does not close": "a <!-- b\n\nx\n\n--> y\n",
    "a comment mark that its item does not close": "a <!-- b\n- [fact] x :: y :: z\n- -->\n",
    "a comment mark with a backslash": "a \\<!-- b\nx -->\n",
    "a fence mark in HTML": "<div>\n```\nx\n</div>\n",
    "a fence mark in a script": "<script>\n\n```\nx\n</script>\n",
    "a mark in a line of the record": "- [fact] a :: b :: 5%% of <!-- and ```\nx\n",
    "a comment mark inside a line that nothing closes": "5%% of x\ny\n",
    "a fence mark in indented code": "    ```\nx\n",
    "a fence mark in code that begins like an item": "    - ```\nx\n",
    "a fence mark in code that begins an item": "-     ```\n  x\n",
    "a fence mark four columns in, below a thematic break": "* * *\n\n    ```\nx\n",
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


def test_a_comment_ends_with_the_item_it_stands_in() -> None:
    assert list(prose("- <!-- x\n- b\n")) == [(2, "- b")]
    assert list(prose("> <!-- x\n> x -->\n> b\n")) == [(3, "> b")]


def test_what_is_raw_is_prose_and_known() -> None:
    read = scan("<pre>\n\nx\n</pre>\n<?x?>\n")
    assert [read.text[start:end] for start, end in read.raw] == ["<pre>\n\nx\n</pre>\n", "<?x?>\n"]
    assert read.hidden == []


def test_an_empty_text_has_no_line() -> None:
    assert list(prose("")) == []
    assert scan("").line_count() == 0


FENCE_LEFT = {
    "an item, at the next": ("- item", "  ```", "  x", "- after"),
    "an item, at a line at the margin": ("- item", "  ```", "after"),
    "an item that a thematic break is not": ("- item", "- - -", "  ```", "- x", "  ```", "after"),
    "an item that a break of asterisks is not": ("***", "   ```", "* x", "   ```", "after"),
    "an item that a paragraph below a blank line ended": ("- item", "", " after", "  ```", "x", "  ```", "after"),
    "an outer item": ("- item", "  - item", "", "    after", "  ```", "  x", "  ```", "after"),
    "the inner item, in the outer": ("- item", "  - item", "    ```", "  after"),
    "a list item that ended the one above": ("1. b", "  - y", "   ~~~", "  x", "  ~~~", "after"),
    "an item that begins with it": ("1. ```", "  ```", "- x", "  ```", "after"),
    "a quote": ("> ```", "> x", "after"),
    "an item in a quote": ("> - ```", ">   x", "> after"),
    "a quote in an item": ("- a", "  > ```", "  > x", "> after"),
    "a quote in a quote": ("> > ```", "> > x", "> after"),
    "an item whose paragraph a line at the margin goes on": ("- item", "goes on", "", "  ```", "  x", "after"),
}
"""Lines of a text, its last one prose: what it stands in has ended the fence above, or a fence has ended it."""


@pytest.mark.parametrize("lines", FENCE_LEFT.values(), ids=FENCE_LEFT)
def test_a_fence_ends_with(lines: tuple[str, ...]) -> None:
    read = [line for _, line in prose("\n".join(lines))]
    assert read == [line for line in lines if "x" not in line and "`" not in line and "~" not in line]


def test_a_line_that_ends_a_fence_further_out_ends_its_item() -> None:
    assert [number for number, _ in prose("1. b\n   ~~~\n  x\n    ```\ny\n")] == [1, 3, 4, 5]


def test_a_comment_that_begins_inside_a_line_hides_the_lines_below_up_to_its_end() -> None:
    assert list(prose("a <!-- b\nx\n--> x\nc\n")) == [(1, "a <!-- b"), (4, "c")]
    assert list(prose("a %% b %% c\nd %% e\nx\n%%\nf\n")) == [(1, "a %% b %% c"), (2, "d %% e"), (5, "f")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("text\n", True),
        ("- item\n", True),
        ("", False),
        ("\ufeff", False),
        ("text", False),
        ("text\r", False),
        ("```\n", False),
        ("- item\n  ```\n", False),
        ("---\n", False),
        ("a <!-- b\n", False),
        ("a <!-- b\n-->\n", True),
        ("<div>\n", False),
        ("<div>\n\ntext\n", True),
        ("<pre>\n\ntext\n", False),
    ],
)
def test_settled_is_what_no_appended_text_can_change(text: str, expected: bool) -> None:
    assert scan(text).settled is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a\n", True),
        ("\n\ntext", True),
        ("  text", False),
        ("\n\t```", False),
        ("text", False),
        ("> a", False),
        ("- \n", False),
    ],
)
def test_a_tail_reads_alone_unless_it_may_go_on_what_stands_above(text: str, expected: bool) -> None:
    assert reads_alone(text) is expected


def test_a_tail_has_no_frontmatter() -> None:
    assert list(scan("---\nx\n---\n", from_top=False).runs()) == [(1, ["---", "x", "---"])]


MANY = {
    "open comments": "a <!-- b\n",
    "comments": "%% %%\n",
    "fences in items": "  ```\n  ```\n",
    "marks that are too far in": "     ~~~\n",
    "marks that are too far in, below blanks": "  - a\n\n       ~~~\n",
    "marks that open nothing, below a comment": "  <!--\n  -->\n  ``` `\n",
    "comments in one line": "a <!-- -->",
    "marks in code": "a `%%",
    "marks inside one line": "a ``` ~~~ ",
    "quotes and items in one line": "> - ",
}


@pytest.mark.parametrize("piece", MANY.values(), ids=MANY)
def test_no_line_is_gone_over_again_for_each_mark(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    passed = _count(monkeypatch, Nesting, "step")
    entered = _count(monkeypatch, Scanner, "_enter_line")
    text = piece * 5_000 + "\n" + "  ```\n" * 2
    scan(text)
    assert len(passed) <= text.count("\n")
    assert len(entered) <= text.count("\n")


def _count(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> list[object]:
    calls: list[object] = []
    method = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *given: calls.append(None) or method(*given))
    return calls
