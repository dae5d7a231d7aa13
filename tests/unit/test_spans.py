"""How a note is cut into passages."""

from __future__ import annotations

import unicodedata
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.notes.headings import headings
from loreweave.notes.model import Frontmatter, Item, Property, Span
from loreweave.notes.scan import scan
from loreweave.notes.spans import CHARACTERS, LINES, lone_span, spans


def cut(text: str) -> tuple[Span, ...]:
    read = scan(text)
    return spans(read, headings(read))


def places(text: str) -> list[tuple[int, int]]:
    return [(span.start_line, span.end_line) for span in cut(text)]


def lines(*numbers: int) -> str:
    return "".join(f"line {number}\n" for number in range(*numbers))


def test_a_note_is_cut_at_its_headings_each_with_those_above_it() -> None:
    text = "---\na: b\n---\nBefore.\n\n# Atlas\n\nOne.\n\n### Deep\nTwo.\n## Side\nThree.\n\n# Other\nFour.\n"
    assert [span[:5] for span in cut(text)] == [
        ("", (), 4, 4, "Before."),
        ("Atlas", ("Atlas",), 6, 8, "# Atlas\n\nOne."),
        ("Deep", ("Atlas", "Deep"), 10, 11, "### Deep\nTwo."),
        ("Side", ("Atlas", "Side"), 12, 13, "## Side\nThree."),
        ("Other", ("Other",), 15, 16, "# Other\nFour."),
    ]


def test_equal_headings_are_told_apart_by_their_lines() -> None:
    assert [span[:4] for span in cut("# A\nx\n# A\nx\n")] == [("A", ("A",), 1, 2), ("A", ("A",), 3, 4)]


def test_the_hash_is_that_of_the_text() -> None:
    (span,) = cut("# A\nvoilà \ud800\n")
    assert span.hash == sha256(span.text.encode("utf-8", "surrogatepass")).hexdigest()


def test_the_hash_of_the_body_leaves_out_the_heading_and_the_blanks_below_it() -> None:
    texts = ("# A\n\n one\n\ntwo", "B\n---\n one\n\ntwo\n \n", " one\n\ntwo", "Before.\n### C ###\n \n one\n\ntwo")
    assert len({cut(text)[-1].body_hash for text in texts}) == 1
    lone = cut(" one\n\ntwo")[0]
    assert lone.body_hash == lone.hash[:16]


def test_only_the_first_part_of_a_long_section_has_a_heading_to_leave_out() -> None:
    first, *others = cut("# A\n" + "".join(f"\n{line}" for line in lines(120).split("\n")))
    assert first.body_hash != first.hash[:16]
    assert all(each.body_hash == each.hash[:16] for each in others)
    assert others


SHAPES = {
    "code only": ("```\nprint(1)\n```\n", (1, 3)),
    "a table": ("| a | b |\n|---|---|\n| c | d |\n", (1, 3)),
    "a list": ("- a\n- b\n", (1, 2)),
    "links": ("# Map\n\n- [[Atlas]]\n- [[Vendor]]\n", (1, 4)),
    "an image": ("![](a.png)\n", (1, 1)),
    "one word": ("word", (1, 1)),
    "ends of lines in two characters": ("# A\r\n\r\nb\r\nc\r\n", (1, 4)),
    "ends of lines without a line feed": ("# A\r\rb\rc", (1, 4)),
    "a byte order mark": ("\ufeffword\n", (1, 1)),
    "a byte order mark before frontmatter": ("\ufeff---\na: b\n---\nword\n", (4, 4)),
    "no end of the last line": ("# A\nb", (1, 2)),
    "a quote": ("> [!note] A\n> b\n", (1, 2)),
    "a comment": ("%% later: ask Priya %%\n", (1, 1)),
    "blank lines around": ("\n \nword\n\n\n", (3, 3)),
    "a thematic break above": ("---\n\nword\n", (1, 3)),
    "an emoji": ("\U0001f680\n", (1, 1)),
}


@pytest.mark.parametrize(("text", "place"), SHAPES.values(), ids=SHAPES)
def test_there_is_one_passage_in(text: str, place: tuple[int, int]) -> None:
    assert places(text) == [place]


NOTHING = {
    "nothing": "",
    "blank lines": "\n \n\t\n",
    "frontmatter": "---\na: b\n---\n",
    "frontmatter without the end of its last line": "---\na: b\n---",
    "headings": "# A\n\n## B\n\nC\n---\n",
    "a heading and a thematic break": "# A\n\n---\n",
    "thematic breaks": "***\n\n* * *\n",
}


@pytest.mark.parametrize("text", NOTHING.values(), ids=NOTHING)
def test_there_is_no_passage_in(text: str) -> None:
    assert cut(text) == ()


def test_a_note_of_frontmatter_alone_is_found_by_its_title_and_its_properties() -> None:
    properties = (
        Property("status", (Item("shipped", 2),), False, 2),
        Property("members", (Item("Ana", 3), Item("Bo", 3)), True, 3),
        Property("deeper", (), False, 4),
    )
    span = lone_span("Atlas", Frontmatter(properties, end_line=6))
    assert span[:5] == ("", (), 1, 6, "Atlas\nstatus: shipped\nmembers: Ana, Bo\ndeeper: ")
    assert lone_span("Atlas", Frontmatter())[:5] == ("", (), 1, 1, "Atlas")


def test_a_note_of_headings_alone_is_found_by_them() -> None:
    found = headings(scan("# Plan\n\n## Glacier\n"))
    assert lone_span("Atlas", Frontmatter(), found)[:5] == ("", (), 1, 3, "Atlas\nPlan\nGlacier")


def test_forty_lines_are_one_passage_and_one_more_is_cut_at_a_blank_line() -> None:
    assert places("# A\n\n" + lines(18) + "\n" + lines(19)) == [(1, 40)]
    assert places("# A\n\n" + lines(18) + "\n" + lines(20)) == [(1, 20), (22, 41)]


def test_blocks_are_gathered_as_long_as_they_fit() -> None:
    assert places("a\nb\n\n" * 30) == [(1, 38), (40, 77), (79, 89)]


def test_a_heading_stays_with_what_is_cut_below_it() -> None:
    assert places("# A\n\n" + lines(60) + "\nb\n") == [(1, 40), (41, 64)]


def test_a_heading_is_left_out_where_only_without_it_a_block_is_whole() -> None:
    assert places("# A\n\n" + lines(40)) == [(3, 42)]
    assert places("A\n===\n\n" + lines(39) + "\nb\n\n" + lines(30)) == [(4, 42), (44, 75)]


WHOLE = {
    "a fence": "```\n" + "x\n\n" * 15 + "```\n",
    "a fence in an item": "- x\n  ```\n" + "  x\n\n" * 14 + "  ```\n",
    "a comment": "%%\n" + "x\n\n" * 15 + "%%\n",
    "a preformatted text": "<pre>\n" + "x\n\n" * 15 + "</pre>\n",
}


@pytest.mark.parametrize("block", WHOLE.values(), ids=WHOLE)
def test_no_passage_ends_inside(block: str) -> None:
    count = block.count("\n")
    assert places(lines(20) + "\n" + block + "\n" + lines(20)) == [(1, 20), (22, 21 + count), (23 + count, 42 + count)]


def test_a_fence_that_is_too_long_itself_is_cut_at_the_ends_of_lines() -> None:
    assert places("```\n" + "x\n\n" * 30 + "```\n") == [(1, 40), (42, 62)]


def test_a_section_of_few_long_lines_is_cut_too() -> None:
    text = "# A\n\n" + f"{'word ' * 200}\n\n" * 6
    assert places(text) == [(1, 7), (9, 13)]


def test_a_line_that_is_too_long_is_cut_after_a_blank() -> None:
    text = "word " * 2_000
    found = cut(f"before\n{text}\nafter\n")
    assert [(span.start_line, span.end_line) for span in found] == [(1, 1), (2, 2), (2, 2), (2, 2), (3, 3)]
    assert "".join(span.text for span in found[1:-1]) == text
    assert all(span.text.endswith(" ") and len(span.text) <= CHARACTERS for span in found[1:-1])


JOINED = {
    "an accent of its own": "e\u0301",
    "many accents": "e" + "\u0301\u0327" * 10,
    "joined emoji": "\U0001f469\u200d\U0001f52c",
    "an emoji with a colour": "\U0001f44d\U0001f3fd",
    "an emoji with its variation": "\u2764\ufe0f",
    "vowel signs": "क\u093f",
}


@pytest.mark.parametrize("written", JOINED.values(), ids=JOINED)
@pytest.mark.parametrize("before", range(3))
def test_no_character_that_is_written_with_several_is_cut(written: str, before: int) -> None:
    text = "." * before + written * 3_000
    found = cut(text)
    assert "".join(span.text for span in found) == text
    assert all(len(span.text) <= CHARACTERS for span in found)
    assert all(span.text.startswith(written) for span in found[1:])


@pytest.mark.parametrize("character", ["x", "語", "\u0301", "\U0001f680", "\x00"])
def test_a_token_of_two_million_characters_is_cut_into_few_passages(character: str) -> None:
    found = cut(character * 2_000_000)
    assert sum(len(span.text) for span in found) == 2_000_000
    assert max(len(span.text) for span in found) <= CHARACTERS
    assert len(found) <= 2_000_000 // (CHARACTERS - 64) + 1


BLOCKS = (
    *("word\n", "# A\n", "## B\n", "\n", "- a\n", lines(45), lines(15) + "\n", "```\n", "x\n\n" * 25, "---\n"),
    *(
        "語" * 4_100 + "\n",
        "é " * 2_500 + "\n",
        "%%\n",
        "<pre>\n",
        "</pre>\n",
        "   \n",
        "> q\n",
        "long " * 300 + "\n\n",
    ),
)
notes = st.lists(st.sampled_from(BLOCKS), max_size=14).map("".join)


@given(notes)
def test_passages_hold_every_line_that_says_something_once_and_in_order(text: str) -> None:
    read = scan(text)
    headed = {line for heading in headings(read) for line in range(heading.line, heading.end_line + 1)}
    written = read.text.split("\n")
    found = cut(text)
    held = [line for span in found for line in range(span.start_line, span.end_line + 1)]
    assert held == sorted(held)
    said = {n for n, line in enumerate(written, 1) if any(unicodedata.category(c)[0] == "L" for c in line)}
    assert said - headed - set(range(1, read.first_line())) <= set(held)
    assert all(held.count(line) == 1 or len(written[line - 1]) > CHARACTERS for line in held)


@given(notes)
def test_a_passage_is_the_text_of_its_lines_and_no_longer_than_it_may_be(text: str) -> None:
    written = scan(text).text.split("\n")
    for span in cut(text):
        whole = "\n".join(written[span.start_line - 1 : span.end_line])
        assert span.text == whole or (span.start_line == span.end_line and span.text in whole)
        assert span.end_line - span.start_line < LINES
        assert len(span.text) <= CHARACTERS
        assert span.anchor == (span.heading_path[-1] if span.heading_path else "")
