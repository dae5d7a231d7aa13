"""What turns a text or hides in it, and what real scripts need."""

from __future__ import annotations

import json

import pytest

from loreweave.cli.console import visible, visible_json
from loreweave.notes.turning import misleads, turns

TURNS = ["\u202e", "\u2066", "\x1b", "\x9b", "\u2028", "\u200e", "\u200f", "\u061c", "\u3164", "\uffa0", "\U000e0041"]
HIDES = ["\u200b", "\u200c", "\u200d", "\xad", "\u2060", "\ufeff", "\ufe0f", "\U000e0100"]


@pytest.mark.parametrize("char", TURNS)
def test_what_turns_a_text_is_found_and_seen_on_the_screen(char: str) -> None:
    text = f"pay {char}Priya é"
    assert turns(text) == misleads(text) == char
    assert visible(text) == "pay \ufffdPriya é"
    assert char not in visible_json(json.dumps(text, ensure_ascii=False))
    assert json.loads(visible_json(json.dumps(text, ensure_ascii=False))) == text


@pytest.mark.parametrize("char", HIDES)
def test_what_hides_between_letters_that_need_it_not_is_found(char: str) -> None:
    assert (turns(f"Pri{char}ya"), misleads(f"Pri{char}ya")) == ("", char)
    assert misleads(char) == char
    assert visible(f"Pri{char}ya") == f"Pri{char}ya"


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",
        "क्\u200dष",
        "👩🏽\u200d💻",
        "❤\ufe0f\u200d🔥",
        "1\ufe0f⃣",
        "葛\U000e0100",
        "ภาษา\u200bไทย",
        "שלום (Priya)\u200f",
        "مرحبا \u061cPriya",
        "two\nlines\tand a tab",
    ],
)
def test_what_a_script_needs_misleads_nobody(text: str) -> None:
    assert misleads(text) == ""
    if "\n" not in text:
        assert visible(text) == text


def test_what_a_script_needs_is_no_cover_for_what_turns() -> None:
    assert turns("שלום \u202ePriya") == "\u202e"
    assert misleads("می\u200c\u200cخواهم") == "\u200c"
