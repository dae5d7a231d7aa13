"""What stands between the ``---`` lines of a note: properties as written, JSON, and what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from loreweave.errors import WARNING
from loreweave.notes import nodes
from loreweave.notes.frontmatter import LONGEST, read_frontmatter
from loreweave.notes.model import Frontmatter
from loreweave.notes.nodes import DEEPEST
from loreweave.notes.scan import scan

VAULTS = Path(__file__).parents[2].parent / "shared" / "data" / "vaults"

USUAL = """\
title: Project Atlas
status: shipped
owner: "[[Priya Sharma]]"
date: 2026-01-15
members: [Ana, Bo]
tags:
  - project
  - 'at, las'
summary: >-
  One line
  and another
plan: |
  a: b
  # c
done: false
budget: 1200.50
links:
- [[A]]
- [[B, or C|B]]
nested: {a: [1, {b: c}]}
empty:
copied: &one x
copy: *one
"""


def frontmatter(block: str) -> Frontmatter:
    return read_frontmatter(scan(f"---\n{block}---\n# Atlas\n"))


def values(read: Frontmatter) -> dict[str, list[str]]:
    return {entry.name: [item.text for item in entry.items] for entry in read.properties}


def codes(read: Frontmatter) -> list[tuple[str, int]]:
    return [(finding.code, finding.line) for finding in read.findings]


@pytest.mark.parametrize(
    "written",
    ["NO", "no", "off", "y", "true", "1.10", "007", "010", "10:00", "12:30:00", "1_000", "2026-01-15", "0x1F", "+1"],
)
def test_a_value_keeps_the_text_it_was_written_with(written: str) -> None:
    read = frontmatter(f"value: {written}\nlist: [{written}]\nlines:\n- {written}\nquoted: '{written}'\n")
    assert values(read) == {name: [written] for name in ("value", "list", "lines", "quoted")}
    assert not read.findings


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("true", "true"),
        ("False", "false"),
        ("null", "null"),
        ("~", "null"),
        ("", "null"),
        ("12", "12"),
        ("+12", "12"),
        ("-0", "-0"),
        ("1.10", "1.10"),
        (".5", "0.5"),
        ("1.", "1.0"),
        ("1e3", "1e3"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("1e400", '"1e400"'),
        ("9" * 400, f'"{"9" * 400}"'),
        (".inf", '".inf"'),
        (".nan", '".nan"'),
        ("010", '"010"'),
        ("0x1F", '"0x1F"'),
        ("1_000", '"1_000"'),
        ("12:30:00", '"12:30:00"'),
        ("yes", '"yes"'),
        ("NO", '"NO"'),
        ("2026-01-15", '"2026-01-15"'),
        ("'12'", '"12"'),
        ('"null"', '"null"'),
        ("!!int '3'", '"3"'),
        ("é 🗻", '"é 🗻"'),
        (r'"a\"b\\c\n"', r'"a\"b\\c\n"'),
    ],
)
def test_json_has_the_core_types_of_yaml_1_2(written: str, typed: str) -> None:
    assert frontmatter(f"value: {written}\n").json == f'{{"value":{typed}}}'


def test_json_keeps_keys_as_written_and_in_order() -> None:
    read = frontmatter("b: 1\nA b: [x, {é: null}]\n2: '3'\n")
    assert read.json == '{"b":1,"A b":["x",{"é":null}],"2":"3"}'


def test_usual_frontmatter_is_read_with_its_lines() -> None:
    read = frontmatter(USUAL)
    assert [(entry.name, entry.line, [tuple(item) for item in entry.items]) for entry in read.properties] == [
        ("title", 2, [("Project Atlas", 2)]),
        ("status", 3, [("shipped", 3)]),
        ("owner", 4, [("[[Priya Sharma]]", 4)]),
        ("date", 5, [("2026-01-15", 5)]),
        ("members", 6, [("Ana", 6), ("Bo", 6)]),
        ("tags", 7, [("project", 8), ("at, las", 9)]),
        ("summary", 10, [("One line and another", 10)]),
        ("plan", 13, [("a: b\n# c\n", 13)]),
        ("done", 16, [("false", 16)]),
        ("budget", 17, [("1200.50", 17)]),
        ("links", 18, [("[[A]]", 19), ("[[B, or C|B]]", 20)]),
        ("nested", 21, []),
        ("empty", 22, []),
        ("copied", 23, [("x", 23)]),
        ("copy", 24, [("x", 24)]),
    ]
    assert [entry.name for entry in read.properties if entry.is_list] == ["members", "tags", "links"]
    assert (read.end_line, read.findings) == (25, ())


@pytest.mark.parametrize("written", ["[[Alpha, Beta, and Gamma]]", "[[ A ]]", "[[A#B|c: d]]", "[[Ü: x]]"])
def test_an_unquoted_wiki_link_is_one_value(written: str) -> None:
    read = frontmatter(f"related: {written}\nlist:\n- {written}\nflow: [{written}, {written}]\n")
    assert values(read) == {"related": [written], "list": [written], "flow": [written] * 2}
    assert json.loads(read.json) == {"related": written, "list": [written], "flow": [written, written]}
    assert [entry.is_list for entry in read.properties] == [False, True, True]


@pytest.mark.parametrize(
    "written", ["[[a, [b]]]", "[[]]", "[ [a] ]", "[[a], b]", "[{a: b}, c]", "{a: b}", "[[a,\n  b]]"]
)
def test_what_is_deeper_than_a_list_has_no_items(written: str) -> None:
    read = frontmatter(f"value: {written}\n")
    assert values(read) == {"value": []}
    assert not read.findings


@pytest.mark.parametrize("written", ["{{date}}", '"{{date}}"', "<% tp.date.now() %>", "{{a}} and {{b}}", "[{{date}}]"])
def test_the_placeholder_of_a_template_is_no_value(written: str) -> None:
    read = frontmatter(f"value: {written if ' and ' not in written else repr(written)}\n")
    assert values(read) == {"value": []}
    assert not read.findings


def test_the_text_of_a_placeholder_is_kept_as_json() -> None:
    assert frontmatter("a: {{date}}\nb: [{{x}}, c]\n").json == '{"a":"{{date}}","b":["{{x}}","c"]}'


def test_an_empty_property_is_no_finding() -> None:
    read = frontmatter("a:\nb: ''\nc: null\nd: []\ne: # one | two\nf: '#x'\ng: x #y\n")
    assert values(read) == {"a": [], "b": [], "c": [], "d": [], "e": [], "f": ["#x"], "g": ["x"]}
    assert not read.findings


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
        ('a: 1\nb: "x\nc: 3\n', 3, 'b: "x', "a quote is not closed"),
        ('a: "\\d"\n', 2, 'a: "\\d"', "a backslash"),
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


@pytest.mark.parametrize("block", ["", "# only a comment\n", "  \n\n# x\n"])
def test_frontmatter_without_anything_is_no_finding(block: str) -> None:
    assert frontmatter(block) == Frontmatter(end_line=block.count("\n") + 2)


@pytest.mark.parametrize(
    ("text", "end_line"),
    [
        ("---js\ntitle: x\n---\n", 3),
        ("---yaml\ntitle: x\n---\n", 3),
        ("+++\ntitle = 'x'\n+++\n", 3),
        ("---\n\nFirst thoughts.\n\nowner:: Amara\n", 0),
        ("text\n---\na: b\n---\n", 0),
        ("```\n---\na: b\n---\n```\n", 0),
        ("", 0),
    ],
)
def test_other_languages_and_thematic_breaks_are_not_read(text: str, end_line: int) -> None:
    assert read_frontmatter(scan(text)) == Frontmatter(end_line=end_line)


@pytest.mark.parametrize("text", ["---\na: b\n---", "---  \na: b\n--- \t\n", "\ufeff---\r\na: b\r\n---\r\nx"])
def test_marks_may_have_blanks_after_them_and_any_line_ends(text: str) -> None:
    read = read_frontmatter(scan(text))
    assert (values(read), read.end_line) == ({"a": ["b"]}, 3)


def test_no_tag_constructs_anything() -> None:
    read = frontmatter('a: !!python/object/apply:os.system ["echo x"]\nb: !!binary aGk=\nc: !ruby/x y\n')
    assert values(read) == {"a": ["echo x"], "b": ["aGk="], "c": ["y"]}


def test_small_aliases_are_read_where_they_stand() -> None:
    read = frontmatter("a: &a [x, y]\nb: *a\nc: &c z\nd: [*c]\n<<: {e: 1}\n")
    assert values(read) == {"a": ["x", "y"], "b": ["x", "y"], "c": ["z"], "d": ["z"], "<<": []}


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


def test_characters_that_yaml_refuses_are_kept() -> None:
    odd = "x\x00y\u2028z\x85w\ufeffv\x7f\ufffeu"
    read = frontmatter(f"a: {odd}\nb: [{odd}]\n{odd}: c\nd: x\n")
    assert values(read) == {"a": [odd], "b": [odd], odd: ["c"], "d": ["x"]}
    assert [entry.line for entry in read.properties] == [2, 3, 4, 5]
    assert json.loads(read.json)["a"] == odd


def test_half_of_a_surrogate_pair_harms_nothing() -> None:
    assert json.loads(frontmatter("a: x\ud800\n").json) == {"a": "x\ufffd"}
    assert codes(frontmatter('a: 1\nb: "\\ud800"\n')) == [("bad-frontmatter", 3)]


def test_keys_that_are_no_text_are_kept_as_json() -> None:
    read = frontmatter("? [a, b]\n: x\n? {c: d}\n: y\n")
    assert values(read) == {'["a","b"]': ["x"], '{"c":"d"}': ["y"]}


@pytest.mark.parametrize(
    "filler", ["x", "x ", "- ", "-\n", "k:\n", "a: b\n", ": ", "[", "[]", "{", '"', "'", "&", "*", "#", "é"]
)
def test_a_large_block_of_one_thing_is_gone_through(filler: str) -> None:
    block = filler * (LONGEST // 4 // len(filler)) + "\n"
    assert frontmatter(block).end_line == block.count("\n") + 2


def test_the_slow_reader_gives_what_the_fast_one_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [
        USUAL,
        "a: b: c\n",
        'a: "x\n',
        "a: [x\nb: y\n",
        "a: *x\n",
        "a: 1\n\tb: 2\n",
        "a: {{b}}\n",
        "- a\n",
        "a: @b\n",
        'ab: "\\ud800"\n',
    ]
    fast = [frontmatter(block) for block in blocks]
    monkeypatch.setattr(nodes, "LOADER", yaml.SafeLoader)
    assert [frontmatter(block) for block in blocks] == fast


@pytest.mark.skipif(not VAULTS.is_dir(), reason="the sample vaults are not here")
def test_both_readers_agree_on_vaults_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    scans = [scan(path.read_bytes().decode("utf-8", "replace")) for path in sorted(VAULTS.rglob("*.md"))[::40]]
    fast = [read_frontmatter(scanned) for scanned in scans]
    monkeypatch.setattr(nodes, "LOADER", yaml.SafeLoader)
    assert [read_frontmatter(scanned) for scanned in scans] == fast
    assert sum(bool(read.properties) for read in fast) > 50
