"""What is wrong with frontmatter, and how much of it is read."""

from __future__ import annotations

import json

import pytest

from fronts import codes, frontmatter, values
from loreweave.errors import WARNING
from loreweave.notes.frontmatter import LONGEST, read_frontmatter
from loreweave.notes.model import Frontmatter
from loreweave.notes.nodes import DEEPEST
from loreweave.notes.scan import scan


def test_an_empty_property_is_no_finding() -> None:
    read = frontmatter("a:\nb: ''\nc: null\nd: []\ne: # one | two\nf: '#x'\ng: x #y\n")
    assert values(read) == {"a": [], "b": [], "c": [], "d": [], "e": [], "f": ["#x"], "g": ["x"]}
    assert not read.findings


@pytest.mark.parametrize("block", ["", "# only a comment\n", "  \n\n# x\n"])
def test_frontmatter_without_anything_is_no_finding(block: str) -> None:
    assert frontmatter(block) == Frontmatter(end_line=block.count("\n") + 2)


@pytest.mark.parametrize(
    ("block", "line", "says"),
    [
        ("tags:\n  - #project\n  - ledger\n", 3, 'An item of "tags" is empty: "#project" begins a comment.'),
        ("tags: #project\n", 2, 'The property "tags" is empty: "#project" begins a comment.'),
        ("a:\n- x\n-\n", 4, 'An item of "a" is empty.'),
        ("a: [x, null]\n", 2, 'An item of "a" is empty.'),
        ("a:\n- x\n- ''\n- ~\n- '\u200b'\n", 4, '3 items of "a" are empty.'),
    ],
)
def test_an_empty_item_is_skipped_and_said(block: str, line: int, says: str) -> None:
    read = frontmatter(block)
    assert codes(read) == [("empty-item", line)]
    assert (read.findings[0].message, read.findings[0].severity) == (says, WARNING)
    assert "" not in [item.text for entry in read.properties for item in entry.items]


@pytest.mark.parametrize(
    ("block", "line", "items", "says"),
    [
        (
            "aliases:\n  - Atlas: A Plan\n",
            3,
            [],
            'An item of "aliases" is no text, and left out: "Atlas: A Plan".',
        ),
        ("a:\n- x\n- y: z\n- [w]\n", 4, ["x"], '2 items of "a" are no text, and left out: "y: z".'),
    ],
)
def test_an_item_that_is_no_text_among_texts_is_left_out_and_said(
    block: str, line: int, items: list[str], says: str
) -> None:
    read = frontmatter(block)
    assert codes(read) == [("nested-item", line)]
    assert (read.findings[0].message, list(values(read).values())) == (says, [items])


def test_a_list_of_mappings_or_lists_alone_is_no_finding() -> None:
    read = frontmatter("parts:\n- flour: 200g\n- sugar: 100g\nrows: [[1], [2]]\n")
    assert (read.findings, values(read)) == ((), {"parts": [], "rows": []})


def test_of_a_key_that_stands_twice_the_last_wins() -> None:
    read = frontmatter("status: draft\nowner: Kofi\nstatus: final\n")
    assert [(entry.name, entry.line) for entry in read.properties] == [("owner", 3), ("status", 4)]
    assert (values(read), read.json) == ({"owner": ["Kofi"], "status": ["final"]}, '{"owner":"Kofi","status":"final"}')
    assert codes(read) == [("duplicate-key", 4)]
    assert read.findings[0].message == 'The key "status" stands on lines 2 and 4: the last one counts.'


def test_a_key_that_stands_often_is_one_finding() -> None:
    read = frontmatter("a: 1\na: 2\nb: {c: 1, c: 2}\na: 3\n")
    assert [finding.message for finding in read.findings] == [
        'The key "c" stands on lines 4 and 4: the last one counts.',
        'The key "a" stands on lines 2 to 5, 3 times: the last one counts.',
    ]
    assert read.json == '{"b":{"c":2},"a":3}'


@pytest.mark.parametrize(
    ("block", "line", "quoted", "why"),
    [
        ("title: Ledger: Format Review\nstatus: draft\n", 2, "title: Ledger: Format Review", "a colon"),
        ("a: 1\nb: @x\n", 3, "b: @x", "begin with @"),
        ("a: 1\n\tb: 2\n", 3, "b: 2", "a tab"),
        ('a: 1\nb: "x\nc: 3\n', 3, 'b: \\"x', "a quote is not closed"),
        ('a: "\\d"\n', 2, 'a: \\"\\d\\"', "a backslash"),
        ("a: 1\nb: [x, y\nc: 3\n", 3, "b: [x, y", "a bracket"),
        ("a: [[A]], [[B]]\n", 2, "a: [[A]], [[B]]", "does not follow"),
        ("a: ![[x.png]]\n", 2, "a: ![[x.png]]", "does not follow"),
        ("a: *x\n", 2, "a: *x", '"*x" is an alias of nothing'),
        ("a: &x [*x]\n", 2, "a: &x [*x]", '"*x" is an alias of nothing'),
        ("a: 1\n--- b\n", 3, "--- b", "a second document"),
        ("a: 1\n...\nb: 2\n", 4, "b: 2", "does not follow"),
        ("just words\n", 2, "just words", "names no properties"),
        ("- a\n- b\n", 2, "- a", "names no properties"),
        ("a: " + "[" * 100 + "]" * 100 + "\n", 2, "a: [[[[", "64 levels"),
        ("a: x\n" * (LONGEST // 5 + 1), 2, "a: x", "characters long"),
    ],
)
def test_what_cannot_be_read_is_said_and_nothing_is_guessed(block: str, line: int, quoted: str, why: str) -> None:
    read = frontmatter(block)
    assert codes(read) == [("bad-frontmatter", line)]
    finding = read.findings[0]
    assert f'"{quoted}' in finding.message
    assert why in finding.message
    assert finding.hint
    assert (read.properties, read.json, read.end_line) == ((), "{}", block.count("\n") + 2)


@pytest.mark.parametrize(
    ("block", "column"),
    [
        ("title: Ledger: Format Review\n", 14),
        ('a: 1\nbc: "\\d"\n', 5),
        ("abc: [x, y\n", 6),
        ("- a\n", 0),
        ("[", 0),
    ],
)
def test_what_cannot_be_read_is_pointed_at(block: str, column: int) -> None:
    assert [finding.column for finding in frontmatter(block + "\n").findings] == [column]


def test_half_of_a_surrogate_pair_harms_nothing() -> None:
    assert json.loads(frontmatter("a: x\ud800\n").json) == {"a": "x\ufffd"}
    assert codes(frontmatter('a: 1\nb: "\\ud800"\n')) == [("bad-frontmatter", 3)]


@pytest.mark.parametrize(("nested", "is_read"), [(DEEPEST - 1, True), (DEEPEST, False), (100_000, False)])
def test_depth_is_bounded(nested: int, is_read: bool) -> None:
    lists = f"a: {'[' * nested}x{']' * nested}\n"
    aliases = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, min(nested, 1000)))
    for block in (lists, aliases, f"a: {'[' * nested}\n" if not is_read else lists):
        assert [finding.code for finding in frontmatter(block).findings] == ["bad-frontmatter"] * (not is_read)


@pytest.mark.parametrize(("longer", "is_read"), [(0, True), (1, False)])
def test_length_is_bounded(longer: int, is_read: bool) -> None:
    read = frontmatter("a: " + "x" * (LONGEST - 4 + longer) + "\n")
    assert (len(read.properties), len(read.findings)) == (int(is_read), int(not is_read))


@pytest.mark.parametrize(
    "block",
    [
        "a: &a [" + "x," * 9 + "]\n" + "".join(f"k{n}: &k{n} [{f'*k{n - 1}, ' * 9}]\n" for n in range(1, 20)),
        "k0: &k0 [x]\n" + "".join(f"k{n}: &k{n} [*k{n - 1}]\n" for n in range(1, 5000)),
        f'a: &a "{"x" * 50_000}"\nb: [{"*a, " * 5_000}]\n',
    ],
    ids=["wide", "deep", "long"],
)
def test_aliases_cannot_grow_without_bounds(block: str) -> None:
    read = frontmatter(block.replace("&a [x", "&k0 [x"))
    assert [finding.code for finding in read.findings] == ["bad-frontmatter"]
    assert read.properties == ()


@pytest.mark.parametrize(
    "filler", ["x", "x ", "- ", "-\n", "k:\n", "a: b\n", ": ", "[", "[]", "{", '"', "'", "&", "*", "#", "é"]
)
def test_a_large_block_of_one_thing_is_gone_through(filler: str) -> None:
    block = filler * (LONGEST // 4 // len(filler)) + "\n"
    assert frontmatter(block).end_line == block.count("\n") + 2


def test_frontmatter_that_never_ends_is_told_of_and_a_rule_is_not() -> None:
    unclosed = read_frontmatter(scan("---\nstatus: draft\nowner: Ana\n\n# Atlas\n"))
    assert codes(unclosed) == [("bad-frontmatter", 1)]
    assert "no end" in unclosed.findings[0].message
    for text in ("---\n\nA paragraph.\n", "---\nhttps://example.org\n", "---\nstatus: draft\n---\n", "status: draft\n"):
        assert codes(read_frontmatter(scan(text))) == []
