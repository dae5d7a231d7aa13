"""What a reader may take for the same, beyond what has one key."""

from __future__ import annotations

import pytest

from loreweave.events.likeness import is_alike, looks


@pytest.mark.parametrize(
    "other",
    [
        "Open Source",
        " open  source ",
        "open\u00a0source",
        "op\u200ben sou\u2060rce",
        "op\u034fen source",
        "open\u3164 source",
        "open\u2800source",
        "open\x07source",
        "ｏｐｅｎ　ｓｏｕｒｃｅ",
        "𝐨𝐩𝐞𝐧 𝒔𝒐𝒖𝒓𝒄𝒆",
        "open\u2010source",
        "open_source",
        "[[Open Source]]",
        "[[open source|licence]]",
        "**open source**",
        "“open source”",
        "open source.",
        "оpеn sоurсе",
        "ΟΡΕΝ source",
        "ОРЕН ЅOURCE".replace("Н", "N"),
    ],
)
def test_what_looks_the_same_is_alike(other: str) -> None:
    assert is_alike("open source", other)
    assert is_alike(other, "open source")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5", "-5"),
        ("-5", "- 50"),
        ("4.5", "45"),
        ("C", "C++"),
        ("C", "C#"),
        ("2024-01-02", "2024-01-03"),
        ("Ghent", "Gent"),
        ("resume", "résumé"),
        ("नमस्ते", "नमसते"),
        ("", "-"),
        ("*", "!"),
        ("рот", "rot"),
        ("poor", "open"),
    ],
)
def test_what_is_told_apart_is_not_alike(one: str, other: str) -> None:
    assert not is_alike(one, other)


def test_case_matters_in_no_alphabet() -> None:
    assert is_alike("ВАД", "вад\u200b")
    assert is_alike("-5", "\u22125")
    assert is_alike(None, None)
    assert not is_alike(None, "x")


@pytest.mark.parametrize("text", ["()", "!", "*", " ", "\u200b", "\ud800", "[[", "\U000e0041"])
def test_what_is_marks_alone_is_read_too(text: str) -> None:
    assert is_alike(text, text)
    assert len(looks(text)) == 2
