"""How a span is shown: its address, why it is there, and the lines of it that answer, the words asked for marked.

In a pipe an address is the plain ``path#anchor:start-end``. On a terminal it is written as editors open it,
``path:start-end``, with a link to the file where the terminal follows links.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from loreweave.cli.addresses import linked
from loreweave.cli.console import visible
from loreweave.cli.words import Words

if TYPE_CHECKING:
    from pathlib import Path

    from loreweave.cli.console import Console
    from loreweave.search.found import Result

LINES, CHARACTERS = 6, 480
"""How much of a span is shown where it is not shown whole."""

LONG = 240
"""How many characters of one line are shown there."""

COPIES = 5
"""How many copies of a span are named there."""

CUT = "…"
_INDENT = "    "
_IN_CODE = 0.5
"""What lines of code count for beside prose with the same words: a diagram names things, prose says what of them."""

_is_fence = re.compile(r" {0,3}(?:`{3,}|~{3,})").match
_is_heading = re.compile(r" {0,3}#{1,6}(?:\s|$)").match


class Piece(NamedTuple):
    """Some lines of a span, and whether lines before or after them, or parts of them, are left out."""

    lines: list[str]
    cut_before: bool
    cut_after: bool

    @property
    def is_cut(self) -> bool:
        """Tell whether it is not the whole span."""
        return self.cut_before or self.cut_after


def say_span(console: Console, result: Result, root: Path, *, whole: bool) -> bool:
    """Print a span, whole or the lines that answer; tell whether something was left out."""
    asked = Words(result.words)
    _say_heading(console, result, root, asked)
    lines = result.text.strip("\n").splitlines()
    piece = Piece(lines, cut_before=False, cut_after=False) if whole else answering(_body(lines), asked)
    if piece.cut_before:
        console.say(f"{_INDENT}{CUT}", dim=True)
    for line in piece.lines:
        click.echo((_INDENT + _coloured(console, line, asked)).rstrip())
    if piece.cut_after:
        console.say(f"{_INDENT}{CUT}", dim=True)
    if result.also:
        console.say(f"{_INDENT}the same at {_copies(result.also, whole=whole)}", dim=True)
    return piece.is_cut


def _copies(addresses: Sequence[str], *, whole: bool) -> str:
    """Give where the copies are; of very many the first, and how many there are besides."""
    shown = addresses if whole else addresses[:COPIES]
    more = len(addresses) - len(shown)
    return ", ".join(shown) + (f", and at {more:,} more" if more else "")


def _say_heading(console: Console, result: Result, root: Path, asked: Words) -> None:
    score = [f"{result.score:.4f}"] if result.score else []
    why = " · ".join((*score, *result.why))
    if not console.is_terminal:
        console.say(f"{result.address}  {why}")
        return
    place = f"{result.path}:{result.start_line}-{result.end_line}"
    shown = console.styled(visible(place), sys.stdout, fg="cyan", bold=True)
    anchor = f"  {_coloured(console, result.anchor, asked)}" if result.anchor else ""
    told = console.styled(visible(why), sys.stdout, dim=True)
    click.echo(f"{linked(shown, root / result.path, result.start_line)}{anchor}  {told}")


# ------------------------------------------------------------------------------------------ the lines that answer


def answering(lines: Sequence[str], asked: Words) -> Piece:
    """Choose the lines next to each other that have the most of the words asked for, within the budget."""
    shown = [line for line in lines if not _is_fence(line)]
    if len(shown) <= LINES and sum(map(len, shown)) <= CHARACTERS:
        return Piece(shown, cut_before=False, cut_after=False)
    words = [asked.within(line) for line in lines]
    code = _in_code(lines)
    windows = list(_windows(lines)) or [(0, 0)]
    start, end = max(windows, key=lambda window: (_worth(words, code, *window), bool(words[window[0]]), -window[0]))
    chosen = [line for line in lines[start:end] if not _is_fence(line)]
    long = any(len(line) > LONG for line in chosen)
    kept = [_shortened(line, asked) for line in chosen]
    return Piece(kept, any(map(str.strip, lines[:start])), long or any(map(str.strip, lines[end:])))


def _body(lines: list[str]) -> list[str]:
    """Give the lines without the heading at their top, which is in the address; a heading alone is all there is."""
    rest = lines[1:] if lines and _is_heading(lines[0]) else lines
    first = next((at for at, line in enumerate(rest) if line.strip()), None)
    return lines if first is None else rest[first:]


def _windows(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Give for each line of text the run of lines from it on that fits the budget, without blank ones at its end."""
    for start, first in enumerate(lines):
        if not first.strip():
            continue
        end, left = start + 1, CHARACTERS - min(len(first), LONG)
        while end < len(lines) and end - start < LINES and (left := left - min(len(lines[end]), LONG)) >= 0:
            end += 1
        while not lines[end - 1].strip():
            end -= 1
        yield start, end


def _worth(words: Sequence[set[str]], code: Sequence[bool], start: int, end: int) -> float:
    """Give how many of the words asked for some lines have; less where only code has them."""
    found = set().union(*words[start:end])
    in_prose = any(words[at] and not code[at] for at in range(start, end))
    return len(found) - (0 if in_prose or not found else _IN_CODE)


def _in_code(lines: Sequence[str]) -> list[bool]:
    """Tell of each line whether it stands in a block of code, fences among them."""
    within, found = False, []
    for line in lines:
        fence = bool(_is_fence(line))
        found.append(within or fence)
        within ^= fence
    return found


def _shortened(line: str, asked: Words) -> str:
    """Cut a long line to what stands round the first word asked for."""
    if len(line) <= LONG:
        return line
    first = next(asked.places(line), (0, 0))[0]
    start = max(0, min(first - LONG // 3, len(line) - LONG))
    end = start + LONG
    return f"{CUT if start else ''}{line[start:end]}{CUT if end < len(line) else ''}"


def _coloured(console: Console, line: str, asked: Words) -> str:
    """Make a line visible, with the words asked for marked where a terminal shows it."""
    if not console.is_terminal:
        return visible(line)
    pieces, done = [], 0
    for start, end in asked.places(line):
        word = console.styled(visible(line[start:end]), sys.stdout, fg="yellow", bold=True)
        pieces += [visible(line[done:start]), word]
        done = end
    return "".join([*pieces, visible(line[done:])])
