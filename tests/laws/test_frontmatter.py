"""Laws about frontmatter: no text harms it, its two readers agree, and values written are the values read."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from loreweave.notes import nodes
from loreweave.notes.frontmatter import read_frontmatter
from loreweave.notes.model import Frontmatter
from loreweave.notes.scan import scan

MARKS = [
    *"-:,[]{}#&*!|>'\"%@`?~<=\\",
    ": ",
    "- ",
    " #",
    "\n",
    "\n  ",
    "[[",
    "]]",
    "{{",
    "}}",
    "<%",
    "%>",
    "---",
    "null",
]
PIECES = [
    "a",
    "key: ",
    "x y",
    "1.10",
    "no",
    "é",
    "🗻",
    "\u2028",
    "\x00",
    "\t",
    "\ud800",
    "\ufeff",
    "!!str ",
    "&a ",
    "*a",
    "<<",
]
nasty = st.lists(st.sampled_from(MARKS + PIECES) | st.text(max_size=3), max_size=25).map("".join)

words = st.from_regex(r"[A-Za-zé][\w .-]{0,12}[a-z0-9é]", fullmatch=True)
values = (
    words
    | st.sampled_from(["no", "007", "1.10", "12:30", "2026-01-15", "true", "~", "", "[[A, b]]", "{{x}}", "[]", "*one"])
    | words.map(lambda word: f"'{word}: it''s'")
    | st.text('ab"\\: é', max_size=6).map(json.dumps)
)
lists = st.lists(values.filter(lambda value: value != ""), max_size=4)
entries = (
    values
    | lists.map(lambda items: f"[{', '.join(items)}]")
    | lists.map(lambda items: "".join(f"\n  - {item}" for item in items))
    | words.map(lambda word: f"|\n  {word}\n\n  b")
    | words.map(lambda word: f">-\n  {word}\n  b # c")
    | words.map(lambda word: f"{{{word}: [a, {{b: c}}]}}")
    | words.map(lambda word: f"{word} # {word}")
)
blocks = st.lists(st.tuples(words, entries), max_size=6).map(
    lambda pairs: "one: &one first\n" + "".join(f"{name}: {entry}\n" for name, entry in pairs)
)

texts = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=20)


def read(block: str) -> Frontmatter:
    return read_frontmatter(scan(f"---\n{block}\n---\nx\n"))


quoted = json.JSONEncoder(ensure_ascii=False).encode


def refuse_constant(name: str) -> Any:
    raise AssertionError(f"{name} is no JSON")


@given(nasty)
@example("a: [" * 70)
@example("a: &a [*a]")
@example('a: "\\UFFFFFFFF"')
@example("%YAML 99.99\n--- x")
def test_no_text_harms_it(block: str) -> None:
    found = read(block)
    properties = json.loads(found.json, parse_constant=refuse_constant)
    assert [re.sub("[\ud800-\udfff]", "\ufffd", entry.name) for entry in found.properties] == list(properties)
    last = len(re.split("\r\n|\r|\n", block)) + 1
    assert all(2 <= finding.line <= last for finding in found.findings)
    lines = [line for entry in found.properties for line in (entry.line, *(item.line for item in entry.items))]
    assert all(2 <= line <= last for line in lines)
    assert [entry.line for entry in found.properties] == sorted(entry.line for entry in found.properties)
    assert not (found.properties and "bad-frontmatter" in {finding.code for finding in found.findings})


@given(blocks)
def test_the_slow_reader_gives_what_the_fast_one_gives(block: str) -> None:
    fast, nodes.LOADER = nodes.LOADER, yaml.SafeLoader
    try:
        slow = read(block)
    finally:
        nodes.LOADER = fast
    assert slow == read(block)
    assert slow.properties


@given(st.dictionaries(texts, texts | st.lists(texts, max_size=4), max_size=5))
def test_what_is_written_in_quotes_is_read(properties: dict[str, str | list[str]]) -> None:
    found = read("\n".join(f"{quoted(name)}: {quoted(value)}" for name, value in properties.items()))
    assert json.loads(found.json) == properties
    assert [entry.name for entry in found.properties] == list(properties)


@given(st.dictionaries(words, values, min_size=1, max_size=5))
def test_an_item_is_a_piece_of_its_line(properties: dict[str, str]) -> None:
    plain = {
        name: value for name, value in properties.items() if "'" not in value and '"' not in value and value != "*one"
    }
    lines = [f"{name}: {value}" for name, value in plain.items()]
    for entry in read("\n".join(lines)).properties:
        assert all(item.text in lines[item.line - 2] for item in entry.items)
