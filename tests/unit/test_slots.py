"""Keys: which spellings are one slot, and which values are one value."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.events.slots import key, object_key
from loreweave.notes.visible import is_blank, reveal


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ledger Format", "ledger format"),
        ("  ledger__format ", "ledger format"),
        ("Ledger-Format", "ledger format"),
        ("[[Vendor]]", "vendor"),
        ("[[Vendor|the vendor]] of [[Atlas]]", "vendor of atlas"),
        ("[[people/Priya]]", "people/priya"),
        ("[[a [[b]] c]]", "a b c"),
        ("[[a [[b|c]] d|e]]", "a b d"),
        ("[[[Vendor]]]", "[vendor]"),
        ("［［Vendor］］", "vendor"),
        ("[［Vendor｜the vendor］]", "vendor"),
        ("[\u200b[Vendor]\u200b]", "vendor"),
        ("a]] [[b", "a]] [[b"),
        ("\u1820\u180b\u180c\u180d\u180e\u180f", "\u1820"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("Ｖｅｎｄｏｒ", "vendor"),
        ("Vendor’s “own”", 'vendor\'s "own"'),
        ("דוח\u200f חודשי", "דוח חודשי"),
        ("❤\ufe0f", "❤"),
        ("नमस्ते", "नमस्ते"),
        ("C++", "c++"),
        ("C#", "c#"),
        ("C", "c"),
        ("🚀", "🚀"),
        ("—", "—"),
        ("a\u3000b\tc", "a b c"),
    ],
)
def test_the_key_of(text: str, expected: str) -> None:
    assert key(text) == expected
    assert key(expected) == expected


@pytest.mark.parametrize(
    "text", ["", " ", "_", "--", "[[]]", "\u200b", "\u200b\u00ad \ufe0f", "[[ ]]", "[[[[]]]]", "\u180b\u180f"]
)
def test_nothing_is_left_of(text: str) -> None:
    assert key(text) == ""


BRACKETED = [
    "[[",
    "]]",
    "[",
    "]",
    "|",
    "a",
    "B ",
    "-",
    "_",
    "\u200b",
    "［",
    "］",
    "｜",
    "\u180b",
    "ǰ",
    "\u0345",
    "ſ",
    "İ",
    "’",
]


@given(st.lists(st.sampled_from(BRACKETED)).map("".join) | st.text())
def test_the_key_of_a_key_is_itself(text: str) -> None:
    assert key(key(text)) == key(text)


@given(st.lists(st.sampled_from(["[[", "]]", "[", "]", "|", "a", "b"])).map("".join))
def test_brackets_are_dropped_from_within_until_there_are_none(text: str) -> None:
    rest = text
    while (less := re.sub(r"\[\[([^\[\]|]*)(?:\|[^\[\]]*)?\]\]", r"\1", rest)) != rest:
        rest = less
    assert key(text) == rest


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("Final", "final", True),
        ("in  review", "In Review", True),
        ("ﬁnal", "final", True),
        ("e\u0301", "é", True),
        ("in-review", "in review", False),
        ("[[Priya]]", "Priya", False),
        ("C++", "C", False),
    ],
)
def test_objects_are_equal(one: str, other: str, equal: bool) -> None:
    assert (object_key(one) == object_key(other)) is equal


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", True), (" \t", True), ("\u200b\u3000", True), ("-", False), ("\x00", False), ("語", False)],
)
def test_blank_is_what_shows_nothing(text: str, expected: bool) -> None:
    assert is_blank(text) is expected


def test_a_quoted_value_shows_what_is_invisible() -> None:
    assert reveal("a\u200bb\n") == '"a<U+200B>b<U+000A>"'
    assert reveal("Vendor é") == '"Vendor é"'
    assert reveal('a\\b "c\\" d\\') == '"a\\b \\"c\\\\\\" d\\\\"'
