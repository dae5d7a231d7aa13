"""Lines on a screen: none goes on at the left edge, whatever it says and however wide the screen is."""

from __future__ import annotations

import pytest

from loreweave.cli import console, screen
from loreweave.cli.screen import rows, unpadded
from loreweave.cli.table import _width


@pytest.mark.parametrize("room", [20, 33, 80])
@pytest.mark.parametrize("begins", ["", "    ", " " * 70])
@pytest.mark.parametrize(
    "said", ["word " * 60, "x" * 300, "字" * 200, "a" + " " * 500 + "b", "a\u2800" * 90, "é\u0301" * 99]
)
def test_a_line_goes_on_further_in_than_it_begins_and_says_all(room: int, begins: str, said: str) -> None:
    first, *more = rows(begins + said, room)
    edge = len(first) - len(first.lstrip(" "))
    assert edge == min(len(begins), room // 4)
    assert all(row.startswith(" " * (edge + screen.FURTHER)) for row in more)
    assert max(map(_width, (first, *more))) <= room
    assert "".join("".join((first, *more)).replace("\u2800", "").split()) == "".join(said.replace("\u2800", "").split())


@pytest.mark.parametrize("text", ["", "short", "    short", "x" * 80])
def test_a_line_that_has_room_is_as_it_is(text: str) -> None:
    assert [*rows(text, 80)] == [text]
    assert [*rows(text * 9, None)] == [text * 9]


def test_padding_of_any_kind_is_one_blank() -> None:
    assert unpadded(" a \u3000\u2800\t b\u00a0\u00a0c ") == "a b c"


def test_what_is_said_on_a_terminal_goes_on_further_in(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "width", lambda: 20)
    console.Console().say("  Vendor :: reliability :: good")
    assert capsys.readouterr().out == "  Vendor ::\n      reliability ::\n      good\n"
