"""What of a note is prose, and in which line it stands."""

from __future__ import annotations

import pytest

from loreweave.notes.plain import LineNumbers, _Reader, plain
from loreweave.notes.scan import scan

NO_PROSE = {
    "frontmatter": "---\ntags: [x]\n---\n",
    "a fence, its marks too": "```x\nx\n```\n",
    "a fence in a quote": "> ```\n> x\n> ```\n",
    "indented code": "    x\n",
    "indented code below a tab": "\tx\n",
    "indented code over an empty line": "    x\n\n    x\n",
    "indented code below a heading": "#\n    x\n",
    "indented code below a fence": "```\n```\n    x\n",
    "indented code in an item": "- .\n\n      x\n",
    "indented code that begins an item": "-     x\n",
    "indented code in a quote": ">     x\n",
    "code": "`x`\n",
    "code between two backticks": "`` x ` x ``\n",
    "code over two lines": "`x\nx`\n",
    "code over the lines of a quote": "> `x\n> x`\n",
    "code with a backslash before its end": "`x\\`\n",
    "code in a table": "| `x` |\n|---|\n",
    "a comment": "<!-- x -->\n",
    "a comment inside a line": ". <!-- x --> .\n",
    "a comment over lines of a paragraph": ". <!-- x\nx\n-->\n",
    "a comment between percent signs": ". %% x %% .\n",
    "a comment between percent signs over lines": ". %% x\nx\n%%\n",
    "a comment never closed": "<!-- x\n\nx\n",
    "a tag": "<a x>\n",
    "a tag with what it says of itself": "<a b='x' c=\"x\nx\" d=x/>\n",
    "a tag that closes": "</x>\n",
    "a tag in HTML over lines": "<div\n b='x'>\n",
    "a script": "<script>\n\nx\n</script>\n",
    "a style": "<style>\n#x {}\n</style>\n",
    "a preformatted text": "<pre>x</pre>\n",
    "an instruction": "<?x?>\n",
    "a declaration": ". <!x> .\n",
}
PROSE = {
    "a paragraph": "x\n",
    "a paragraph that goes on far in": "x\n        x\n",
    "a paragraph in an item": "- .\n\n  x\n",
    "a paragraph in an item, four blanks in": "- .\n\n    x\n",
    "a paragraph in an item, behind a tab": "1. .\n\n\tx\n",
    "an item in an item": "- .\n    - x\n",
    "items of an outline below a heading": "## .\n\t- x\n\t\t- x\n\n\t- x\n",
    "a numbered item far in": "    1. x\n",
    "an item far in within a quote": ">     - x\n",
    "an item in an item, behind tabs": "- .\n\t- .\n\n\t\t- x\n",
    "what stands between tags": "<b>x</b>\n",
    "what stands between the tags of HTML": "<div>\nx\n<p>x</p>\n</div>\n",
    "a backtick that nothing closes": "` x\n",
    "a backtick that only the next paragraph closes": "` x\n\nx `\n",
    "a backtick that only the next item closes": "- ` x\n- x `\n",
    "a backtick behind a backslash": "\\`x`\n",
    "backticks that fewer follow": "``` x `` x `\n",
    "less than": "a < x > b\n",
    "a tag behind a backslash": "\\<x>\n",
    "a tag that an item cuts": "<a b='\n- x'>\n",
    "an address": "<https://example.org/x>\n",
    "percent signs that nothing closes": "5%% of x\n",
    "maths": "$x$\n",
    "a comment that its paragraph does not close": ". <!-- x\n\nx -->\n",
    "a heading": "# x\n",
    "a thematic break above": "---\n\nx\n\n---\n",
}


@pytest.mark.parametrize("text", NO_PROSE.values(), ids=NO_PROSE)
def test_no_prose_is(text: str) -> None:
    assert "x" in text
    assert "x" not in plain(scan(text))
    assert "x" not in plain(scan(f".\n\n{text}")) or text.startswith("---")


@pytest.mark.parametrize("text", PROSE.values(), ids=PROSE)
def test_prose_is(text: str) -> None:
    prose = plain(scan(text))
    assert prose.count("x") == text.count("x")


def test_what_is_no_prose_is_blank_and_the_rest_stands_where_it_stood() -> None:
    text = "---\na: b\n---\nOne `two` three <b>four</b>\n```\nfive\n```\nsix\n"
    prose = plain(scan(text))
    assert len(prose) == len(text)
    assert prose.split("\n") == ["   ", "    ", "   ", "One       three    four    ", "   ", "    ", "   ", "six", ""]


def test_text_in_any_script_keeps_its_places() -> None:
    text = "名前 `語` \U0001f469\u200d\U0001f52c <b>é</b>\n```\n語\n```\nend"
    prose = plain(scan(text))
    assert prose == "名前     \U0001f469\u200d\U0001f52c    é    \n   \n \n   \nend"


def test_code_that_shows_how_to_write_leaves_nothing_to_be_read() -> None:
    text = "- `[::]:8080` is the bind address\n- Write `owner:: nobody`.\n- ``a `owner:: x` b``\n"
    assert "::" not in plain(scan(text))


@pytest.mark.parametrize("offsets", [range(12), range(11, -1, -1), [5, 0, 11, 5, 3]])
def test_the_line_of_an_offset_is_counted_from_one(offsets: list[int]) -> None:
    text = "a\nbc\n\ndefg\nh"
    number = LineNumbers(text)
    assert [number(offset) for offset in offsets] == [text[:offset].count("\n") + 1 for offset in offsets]


MANY = {
    "backticks of every length": "".join("`" * length + " " for length in range(1, 60)),
    "backticks that nothing closes": "a `b\n",
    "tags that nothing closes": "<a b='\n",
    "tags in HTML that nothing closes": "<div <?\n",
    "paragraphs that go on": "> a `\n",
}


@pytest.mark.parametrize("piece", MANY.values(), ids=MANY)
def test_a_paragraph_is_read_once_however_many_marks_it_has(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    method = _Reader._read
    monkeypatch.setattr(_Reader, "_read", lambda *given: read.append(None) or method(*given))
    plain(scan(piece * 2_000))
    assert len(read) <= 2
