"""What stands between the ``---`` lines of a note: properties as written, JSON, and what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from fronts import frontmatter, values
from loreweave.notes import nodes
from loreweave.notes.frontmatter import read_frontmatter
from loreweave.notes.model import Frontmatter
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
    "written", ["[[a, [b]]]", "[[]]", "[ [a] ]", "[[a], [b]]", "[{a: b}, [c]]", "{a: b}", "[[a,\n  b]]"]
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


def test_characters_that_yaml_refuses_are_kept() -> None:
    odd = "x\x00y\u2028z\x85w\ufeffv\x7f\ufffeu"
    read = frontmatter(f"a: {odd}\nb: [{odd}]\n{odd}: c\nd: x\n")
    assert values(read) == {"a": [odd], "b": [odd], odd: ["c"], "d": ["x"]}
    assert [entry.line for entry in read.properties] == [2, 3, 4, 5]
    assert json.loads(read.json)["a"] == odd


def test_keys_that_are_no_text_are_kept_as_json() -> None:
    read = frontmatter("? [a, b]\n: x\n? {c: d}\n: y\n")
    assert values(read) == {'["a","b"]': ["x"], '{"c":"d"}': ["y"]}


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
