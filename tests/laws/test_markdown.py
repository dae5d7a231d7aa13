"""The scanner is held to a parser of all of Markdown: headings, code and comments are where CommonMark has them."""

from __future__ import annotations

import json
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from house.tree import ROOT
from loreweave.notes.plain import not_prose, plain
from loreweave.notes.scan import Scan, reads_alone, scan
from markdown_reference import OURS, THEIRS, by_ours, by_reference, is_apart, reference_text

EXAMPLES = json.loads((ROOT / "tests" / "data" / "commonmark" / "examples.json").read_text("utf-8"))
VAULTS = ROOT.parent / "shared" / "data" / "vaults"
NOTES_APART = {
    # HTML that holds backticks, and HTML that holds a comment.
    "oldwinter-zh": [
        "Cards/永久笔记/使用Unsplash API生成随机图片.md",
        "Spaces/3-Resource/效率工具与服务专题/Obsidian插件使用/Advanced Slides.md",
    ],
}
"""The notes of the vaults that are read differently, two of 5,375."""

NAMES = ("dataview-plugin", "dendron-site", "foam", "kepano", "logseq-docs", "obsidian-tasks", "oldwinter-zh")

FRONTMATTER = {96}
"""The examples that begin with what is frontmatter in a note."""

LINES = (
    *("", "x", "  x", "    x", "      x", "- x", "-", "2. x", "> x", "  # x", "---", "===", "```", "  ```"),
    *("<div>", "<!--", "-->", "`"),
)
PIECES = (
    *("\n", "\n", "\n", "\n", "\n\n", " ", "  ", "    ", "\t", "- ", "* ", "+ ", "-", "1. ", "2. ", "10) ", "> ", ">"),
    *("# ", "## ", "#", "a", "b c", "x", "```", "~~~", "````", "`", "``", "<!--", "-->", "---", "===", "=", "***"),
    *("<div>", "</div>", "<a>", "<pre>", "</pre>", "<script>", "</script>", "<b x='", "'>", '<i y="', '">', "<?", "?>"),
    *("\\", "<http://x>", "<![CDATA[", "]]>", "<!X"),
)
texts = st.lists(st.sampled_from(PIECES), max_size=24).map(lambda pieces: "".join(["x", *pieces, "\n"]))
noted = texts.map(lambda text: text.replace("~~~", "%%"))
"""With the comments that only notes have."""


@pytest.mark.parametrize(("number", "section", "text"), EXAMPLES, ids=[f"{each[0]}" for each in EXAMPLES])
def test_each_example_of_the_specification_is_read_as_the_reference_does(number: int, section: str, text: str) -> None:
    assert by_ours(text) == by_reference(reference_text(text) if number in FRONTMATTER else text)


def test_any_three_lines_are_read_as_the_reference_does() -> None:
    texts = ["\n".join([*lines, ""]) for lines in product(LINES, repeat=3) if lines[0] != "---"]
    assert [text for text in texts if not is_apart(text) and by_ours(text) != by_reference(text)] == []


@given(texts)
@settings(max_examples=400)
def test_any_text_of_marks_is_read_as_the_reference_does(text: str) -> None:
    assume(not is_apart(text))
    assert by_ours(text) == by_reference(text)


@given(noted, noted.map(lambda text: "- " + text) | noted.map(lambda text: "\n" + text))
@settings(max_examples=200)
def test_what_is_appended_to_a_settled_text_reads_alone_where_it_may(text: str, appended: str) -> None:
    above = scan(text)
    assume(above.settled and reads_alone(appended))
    count = above.line_count()
    alone = [(count + number, line) for number, line in _prose(scan(appended, from_top=False))]
    assert _prose(scan(text + appended)) == [*_prose(above), *alone]


@given(noted)
def test_an_appended_line_is_prose_unless_the_text_is_open_at_its_end(text: str) -> None:
    read = scan(text)
    line = read.line_count() + 1, "after"
    assert (line in _prose(scan(text + "after"))) is not read.open_at_end


def _prose(read: Scan) -> list[tuple[int, str]]:
    return [numbered for first, lines in read.runs() for numbered in enumerate(lines, first)]


@pytest.mark.skipif(not VAULTS.exists(), reason="the folder shared/data/vaults is not beside this one")
@pytest.mark.parametrize("name", NAMES)
def test_the_notes_of_a_real_vault_are_read_as_the_reference_does(name: str) -> None:
    differ = []
    for path in sorted((VAULTS / name).rglob("*.md")):
        text = scan(path.read_text("utf-8", "replace")).text
        if by_ours(text) != by_reference(reference_text(text)):
            differ.append(path.relative_to(VAULTS / name).as_posix())
    assert differ == NOTES_APART.get(name, [])


APART = {
    "a comment that begins a line of HTML hides all up to its end": "<div>\n<!--\n\nx\n-->\n",
    "backticks in HTML mark code: what is shown there is not meant": "<div>`x`</div>\n",
    "the line on which a comment ends is hidden as a whole": "a <!--\n--> `x`\n",
    "no comment begins in a tagged bullet": "- [fact] <!--\n  `x` -->\n",
    "it takes a line far in below definitions of links for code": "[a]: b\n    x\n",
    "it ends a paragraph of an item at a line too far in to begin anything": "  1. a\n    > x\n",
    "it counts tabs from the mark of a quote": ">>- \t>\n",
    "it ends no comment at three hyphens": "a <!-- `x` --->\n",
}


@pytest.mark.parametrize("reason", [*OURS, *THEIRS])
def test_what_is_left_out_is_left_out_for_a_reason(reason: str) -> None:
    text = APART[reason]
    assert (OURS | THEIRS)[reason](text)
    assert by_ours(text) != by_reference(text)


@given(noted | st.text())
def test_the_prose_of_a_text_keeps_its_length_its_lines_and_its_characters(text: str) -> None:
    read = scan(text)
    prose = plain(read)
    assert [len(line) for line in prose.split("\n")] == [len(line) for line in read.text.split("\n")]
    assert all(ours in (" ", written) for ours, written in zip(prose, read.text, strict=True))


@given(noted)
def test_what_is_no_prose_is_found_in_order_and_once(text: str) -> None:
    ends = [0]
    for _, start, end in not_prose(scan(text)):
        assert ends[-1] <= start < end
        ends.append(end)
