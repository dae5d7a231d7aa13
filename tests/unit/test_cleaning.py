"""Values cleaned of Markdown: what a reader sees, links by what they name, lists into their items."""

from __future__ import annotations

import pytest

from loreweave.notes.cleaning import clean, clean_links, items, without_tags

CLEANED = {
    "Priya": "Priya",
    "**final**": "final",
    "***final***": "final",
    "__final__ and _soon_": "final and soon",
    "==final== text": "final text",
    "a **bold** and *slanted* word": "a bold and slanted word",
    "snake_case_name": "snake_case_name",
    "2 * 3 * 4": "2 * 3 * 4",
    "*args": "*args",
    "**kwargs and *args": "**kwargs and *args",
    "a == b == c": "a == b == c",
    "`8080`": "8080",
    "``a ` b``": "a ` b",
    "`[[x]]` and `**y**`": "[[x]] and **y**",
    "`open": "`open",
    "``": "",
    "[[Ana]]": "Ana",
    "[[Ana Costa|Ana]]": "Ana Costa",
    "[[people/Ana Costa.md|Ana]]": "Ana Costa",
    "[[people/Ana Costa]]": "people/Ana Costa",
    "![[chart.png]]": "chart.png",
    "[Ana](people/ana.md)": "Ana",
    "[**Ana** Costa](<people/ana costa.md> 'of Atlas')": "Ana Costa",
    "[Go (game)](https://example.org/Go_(game)) club": "Go (game) club",
    "[](https://example.org)": "https://example.org",
    "**[[Ana]]**, [[Bo|B]]": "Ana, Bo",
    "<https://example.org/a>": "https://example.org/a",
    "<ana@example.org>": "ana@example.org",
    "a < b > c": "a < b > c",
    "List<String>": "List<String>",
    "<span style='x'>red</span>": "red",
    "H<sub>2</sub>O": "H2O",
    "one<br>two": "one two",
    "Priya <!-- for now -->": "Priya",
    "Priya %% for now %%": "Priya",
    "~~draft~~ final": "final",
    "~~draft~~": "",
    "42[^1]": "42",
    r"\*final\* \[x\]": "*final* [x]",
    r"C:\new\table": r"C:\new\table",
    "[x] done": "[x] done",
}


@pytest.mark.parametrize(("text", "shown"), CLEANED.items())
def test_marks_go_and_what_a_reader_sees_stays(text: str, shown: str) -> None:
    assert clean(text) == shown


@pytest.mark.parametrize("text", ["**x**", "`x`", "<b>x</b>", "__init__", "~~x~~", r"\*", "*.md", "a %%b%%"])
def test_a_property_keeps_its_marks(text: str) -> None:
    assert clean_links(text) == text


def test_a_property_has_its_links_by_what_they_name() -> None:
    assert clean_links("[[Ana Costa|Ana]] of [Atlas](atlas.md)") == "Ana Costa of Atlas"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[[Note, with comma]], [[Plain Note]]", ["[[Note, with comma]]", "[[Plain Note]]"]),
        ("[[A]] [[B]]", ["[[A]]", "[[B]]"]),
        ("[[A]]，[[B]]、[[C]]", ["[[A]]", "[[B]]", "[[C]]"]),
        ("[A](a.md), [[B]],", ["[A](a.md)", "[[B]]"]),
        ('"slow, then fast", "late"', ["slow, then fast", "late"]),
        ('"slow, then fast"', ["slow, then fast"]),
        ("[[A]]", ["[[A]]"]),
        ("[[A]] except [[B]]", ["[[A]] except [[B]]"]),
        ("[[A]], b", ["[[A]], b"]),
        ("alpha, beta", ["alpha, beta"]),
        ('"a" "b"', ['"a" "b"']),
        ("", [""]),
    ],
)
def test_a_list_is_of_links_or_of_quoted_texts(text: str, parts: list[str]) -> None:
    assert items(text) == parts


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("uses a ring buffer #storage", "uses a ring buffer"),
        ("uses a ring buffer #storage #fast (as measured)", "uses a ring buffer"),
        ("uses a ring buffer (as measured (twice)) #storage", "uses a ring buffer"),
        ("uses #rust for speed", "uses rust for speed"),
        ("written in C# and #1 there", "written in C# and #1 there"),
        ("see [Ana](ana.md)", "see [Ana](ana.md)"),
        ("f(x)", "f(x)"),
        ("#a #b", ""),
        ("(only this)", ""),
    ],
)
def test_an_observation_loses_its_tags_and_its_context(text: str, left: str) -> None:
    assert without_tags(text) == left
