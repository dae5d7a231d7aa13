"""The fields of a line: what begins one, what belongs to its value, and what is no field at all."""

from __future__ import annotations

import pytest

from loreweave.events.fields import block_at, fields, fields_by_grammar

INLINE, OBSERVATION, BOLD, SHORT = "inline field", "observation", "bold label", "short label"

READ = {
    "owner:: Priya": [(INLINE, "owner", "Priya", "")],
    "- owner:: Priya": [(INLINE, "owner", "Priya", "")],
    "* owner::\tPriya  ": [(INLINE, "owner", "Priya", "")],
    "12) owner:: Priya": [(INLINE, "owner", "Priya", "")],
    "**Length of travel**:: two days": [(INLINE, "Length of travel", "two days", "")],
    "_due date_:: 2026-08-01": [(INLINE, "due date", "2026-08-01", "")],
    "nächster Schritt:: prüfen": [(INLINE, "nächster Schritt", "prüfen", "")],
    "समय:: कल": [(INLINE, "समय", "कल", "")],
    "状态:: 完成": [(INLINE, "状态", "完成", "")],
    "owner:: ": [(INLINE, "owner", "", "")],
    "owner:: a :: b": [(INLINE, "owner", "a :: b", "")],
    "owner:: Priya {valid_from=2026-01-01}": [(INLINE, "owner", "Priya", "{valid_from=2026-01-01}")],
    'parts:: {"a": 1}': [(INLINE, "parts", '{"a": 1}', "")],
    r"parts:: x \{confidence=1}": [(INLINE, "parts", r"x \{confidence=1}", "")],
    "They met [owner:: Priya] there": [(INLINE, "owner", "Priya", "")],
    "They met (owner:: Priya (Lisbon)) there": [(INLINE, "owner", "Priya (Lisbon)", "")],
    "- by [owner:: [[Priya]]] and (deputy:: [Sam](sam.md))": [
        (INLINE, "owner", "[[Priya]]", ""),
        (INLINE, "deputy", "[Sam](sam.md)", ""),
    ],
    "so [owner:: Priya {confidence=0.5}] it is": [(INLINE, "owner", "Priya", "{confidence=0.5}")],
    "so [a1:: x {confidence=0.5}] (b1:: y) {confidence=0.7}": [
        (INLINE, "a1", "x", "{confidence=0.5}"),
        (INLINE, "b1", "y", "{confidence=0.7}"),
    ],
    "owner:: Priya [since:: 2024] Sharma {confidence=1}": [
        (INLINE, "owner", "Priya  Sharma", "{confidence=1}"),
        (INLINE, "since", "2024", ""),
    ],
    "- [location] Hyderabad #tag (context)": [(OBSERVATION, "location", "Hyderabad #tag (context)", "")],
    "- [tech-stack] Python {confidence=0.5}": [(OBSERVATION, "tech-stack", "Python", "{confidence=0.5}")],
    "+ [व्यय] दस": [(OBSERVATION, "व्यय", "दस", "")],
    "- **Owner:** Priya": [(BOLD, "Owner", "Priya", "")],
    "- **Owner**: Priya": [(BOLD, "Owner", "Priya", "")],
    "- **负责人：**张三": [(BOLD, "负责人", "张三", "")],
    "- Owner: Priya": [(SHORT, "Owner", "Priya", "")],
    "- 负责人：张三": [(SHORT, "负责人", "张三", "")],
}

NO_FIELDS = [
    "",
    "- bullet",
    "The type is std::vec::Vec and crate::Item, see [Item::method].",
    "use serde::X;",
    "Foo::bar",
    "foo :: Int -> Int",
    "owner::Priya",
    "owner::",
    ":: Priya",
    "a.b:: c",
    "what is it? owner:: Priya",
    "[owner:: Priya",
    "(owner::Priya)",
    r"\[owner:: Priya\]",
    "> owner:: Priya",
    "| owner:: Priya | [deputy:: Sam] |",
    "- [ ] call [owner:: Priya]",
    "- [x] owner:: Priya",
    "- [/] half done",
    "1. [>] deferred",
    "- [link](https://example.org) text",
    "- [link][1] text",
    "- [[Note]] text",
    "- [^1] note",
    "- [two words] text",
    "- [a] text",
    "[location] Hyderabad",
    "Owner: Priya",
    "**Owner:** Priya",
    "- at 10:30",
    "- https://example.org",
    "owner:: Priya\nSam",
    "owner:: Priya\r",
]


def shown(line: str) -> list[tuple[str, str, str, str]]:
    return [
        (
            field.form,
            field.name,
            "".join(line[start:end] for start, end in field.value).strip(" \t"),
            line[field.block[0] : field.block[1]].rstrip() if field.block else "",
        )
        for field in fields(line)
    ]


@pytest.mark.parametrize(("line", "found"), READ.items())
def test_a_field_has_a_name_a_value_and_perhaps_a_block(line: str, found: list[tuple[str, str, str, str]]) -> None:
    assert shown(line) == found


@pytest.mark.parametrize("line", NO_FIELDS)
def test_what_only_looks_like_a_field_is_none(line: str) -> None:
    assert fields(line) == []


@pytest.mark.parametrize("line", [*READ, *NO_FIELDS])
def test_the_grammar_reads_them_alike(line: str) -> None:
    assert fields_by_grammar(line) == fields(line)


def test_where_a_field_closes_is_where_its_block_stands_or_its_value_ends() -> None:
    assert [field.closing for field in fields("owner:: Priya {confidence=1}")] == [(14, 28)]
    assert [field.closing for field in fields("owner:: Priya")] == [(13, 13)]
    assert [field.closing for field in fields("- 负责人：[a1:: b]")] == [(0, 0), (13, 13)]


@pytest.mark.parametrize(
    ("value", "at"),
    [
        ("shipped {valid_from=2026-08-01}", 8),
        ("shipped {valid_from=2026-08-01} ", 8),
        ("set {1,2}", 9),
        ("{a=b} {c=d}", 6),
        (r"x \{c=d}", 8),
        ("plain", 5),
        ("two\nlines {a=b}", 10),
    ],
)
def test_a_block_ends_a_value(value: str, at: int) -> None:
    assert block_at(value) == at
