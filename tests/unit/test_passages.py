"""What is shown of a span: the lines that answer, within a budget, with the words asked for marked."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from loreweave.cli.addresses import linked
from loreweave.cli.console import Console
from loreweave.cli.passages import CHARACTERS, CUT, LINES, LONG, Piece, answering, say_span
from loreweave.cli.words import Words
from loreweave.search.found import Result

PROSE = [f"Line {number} is about nothing at all." for number in range(30)]


def piece(lines: list[str], *words: str) -> Piece:
    return answering(lines, Words(words))


def test_a_short_span_is_shown_whole() -> None:
    lines = ["One.", "", "Two."]
    assert piece(lines, "Two") == (lines, False, False)


def test_of_a_long_span_the_lines_with_the_most_of_the_words_are_shown() -> None:
    lines = [*PROSE]
    lines[3], lines[20], lines[22] = "The ledger is open.", "The ledger of the office", "is final since August."
    found = piece(lines, "ledger", "final")
    assert found.lines[0] == "The ledger of the office"
    assert len(found.lines) <= LINES
    assert (found.cut_before, found.cut_after) == (True, True)


def test_of_equal_lines_the_first_are_shown_and_without_a_word_the_top() -> None:
    lines = [*PROSE]
    lines[5] = lines[15] = "The ledger is open."
    assert piece(lines, "ledger").lines[0] == lines[5]
    assert piece(lines, "ledger").lines[1] == PROSE[6]
    assert piece(PROSE, "absent").lines == PROSE[:LINES]
    assert piece(PROSE).lines == PROSE[:LINES]


def test_a_diagram_does_not_beat_prose_on_a_tie() -> None:
    lines = ["```mermaid", "Vendor --> Atlas", "```", *PROSE, "The vendor delivers what Atlas reads: Vendor first."]
    assert piece(lines, "Vendor", "Atlas").lines == [lines[-1]]
    assert piece(lines[:-1], "Vendor", "Atlas").lines[0] == "Vendor --> Atlas"


@pytest.mark.parametrize("fence", ["```", "~~~~", "   ```python"])
def test_no_fence_is_shown_in_a_piece(fence: str) -> None:
    assert piece([fence, "ledger = open()", fence], "ledger").lines == ["ledger = open()"]


def test_a_long_line_is_cut_round_the_word() -> None:
    line = "x" * 4000 + " the ledger stands here " + "y" * 4000
    (shown,) = piece([line], "ledger").lines
    assert "the ledger stands here" in shown
    assert shown.startswith(CUT)
    assert shown.endswith(CUT)
    assert len(shown) <= LONG + 2
    assert piece([line], "ledger").cut_after


def test_a_piece_keeps_to_its_budget() -> None:
    lines = ["the ledger " + "word " * 30 for _ in range(40)]
    found = piece(lines, "ledger")
    assert sum(map(len, found.lines)) <= CHARACTERS
    assert found.lines


def test_two_megabytes_of_anything_are_cut_in_no_time() -> None:
    for text in ("a" * 2_000_000, "ledger " * 300_000, "`" * 2_000_000, "\n" * 100_000, " " * 2_000_000):
        began = time.process_time()
        piece(text.split("\n"), "ledger", "format")
        assert time.process_time() - began < 2


# ------------------------------------------------------------------------------------------------- on the screen


class Terminal(Console):
    """A console on a terminal that is not there."""

    @property
    def is_terminal(self) -> bool:
        return True

    def styled(self, text: str, stream: object, **style: object) -> str:
        del stream
        return f"<{text}>" if style.get("bold") else text


def result(text: str, *words: str, **more: object) -> Result:
    given = {"path": "notes/a.md", "anchor": "Ledger", "start_line": 3, "end_line": 9, "score": 0.5, **more}
    return Result(text=text, words=words, **given)  # type: ignore[arg-type]


def shown(found: Result, console: Console, capsys: pytest.CaptureFixture[str], *, whole: bool = False) -> list[str]:
    say_span(console, found, Path("/vault"), whole=whole)
    return capsys.readouterr().out.splitlines()


def test_in_a_pipe_the_address_is_plain(capsys: pytest.CaptureFixture[str]) -> None:
    found = result("# Ledger\n\nIt is final.", "final", why=("matches final",), also=("notes/b.md:1-2",))
    assert shown(found, Console(), capsys) == [
        "notes/a.md#Ledger:3-9  0.5000 · matches final",
        "    It is final.",
        "    the same at notes/b.md:1-2",
    ]


def test_what_links_alone_reach_has_no_score(capsys: pytest.CaptureFixture[str]) -> None:
    found = result("It is final.", score=0.0, why=("via Atlas",))
    assert shown(found, Console(), capsys)[0] == "notes/a.md#Ledger:3-9  via Atlas"


def test_on_a_terminal_the_address_opens_and_words_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    found = result("# Ledger\n\nLäufe enden final; finally, Finale.", "Läufe", "final", "Ledger")
    assert shown(found, Terminal(), capsys) == [
        "<notes/a.md:3-9>  <Ledger>  0.5000",
        "    <Läufe> enden <final>; finally, Finale.",
    ]


@pytest.mark.parametrize(
    ("text", "word", "marked"),
    [
        ("重跑gen-itgc后", "itgc", "重跑gen-<itgc>后"),
        ("東京の会議", "東京", "<東京>の会議"),
        ("C++ and C", "C++", "<C++> and C"),
        ("a.b(c)*", "b(c)*", "a.<b(c)*>"),
        ("snake_case_name", "case", "snake_<case>_name"),
        ("final finalists", "final", "<final> finalists"),
    ],
)
def test_a_word_is_marked_where_it_stands_by_itself(
    text: str, word: str, marked: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shown(result(text, word), Terminal(), capsys)[-1].strip() == marked


def test_control_characters_cannot_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    found = result("a\x1b[31mred\u202e\x07 ledger\x1b", "ledger\x1b", path="n\x1b/a.md", anchor="H\x1b")
    out = "\n".join(shown(found, Terminal(), capsys))
    assert not set(out) & {"\x1b", "\x07", "\u202e"}
    assert "a\ufffd[31mred\ufffd\ufffd <ledger\ufffd>" in out


def test_a_whole_span_is_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    text = "# Ledger\n\n" + "\n".join(PROSE)
    assert [line.strip() for line in shown(result(text, "absent"), Console(), capsys, whole=True)[1:]] == text.split(
        "\n"
    )


# ------------------------------------------------------------------------------------------------- links

PLACE = Path("/a vault/ü#1.md")


@pytest.mark.parametrize(
    ("environment", "target"),
    [
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "vscode"}, "vscode://file/a%20vault/%C3%BC%231.md:7"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, "file://HOST/a%20vault/%C3%BC%231.md"),
        ({"TERM": "xterm-kitty"}, "file://HOST/a%20vault/%C3%BC%231.md#7"),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7200"}, "file://HOST/a%20vault/%C3%BC%231.md"),
        ({"TERM": "xterm-256color", "VTE_VERSION": "4800"}, None),
        ({"TERM": "xterm-256color", "VTE_VERSION": "²"}, None),
        ({"TERM": "xterm-256color"}, None),
        ({"TERM": "dumb", "TERM_PROGRAM": "vscode"}, None),
        ({"TERM_PROGRAM": "Apple_Terminal", "TERM": "xterm-256color"}, None),
        ({}, None),
    ],
)
def test_an_address_is_a_link_where_the_terminal_is_known_to_follow_it(
    environment: dict[str, str], target: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "TERM_PROGRAM", "VTE_VERSION", "WT_SESSION", "KONSOLE_VERSION", "DOMTERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("os.uname", lambda: type("Machine", (), {"nodename": "HOST"}))
    assert linked("here", PLACE, 7) == (f"\x1b]8;;{target}\x1b\\here\x1b]8;;\x1b\\" if target else "here")


def test_a_pipe_has_no_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM_PROGRAM", "WezTerm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False, raising=False)
    assert linked("here", PLACE, 7) == "here"
