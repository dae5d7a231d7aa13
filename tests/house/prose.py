"""Prose is one sentence a line, so that a change reads as a sentence. Code, tables and headings are no prose."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SECOND = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)[.!?]['\")*_]*\s+[\"'(*_]*[A-Z]")
_ENDED = re.compile(r"[.!?:;,]['\")*_`]*$|\||^!\[")
_NOT_PROSE = re.compile(r"\s*(#|\||<|\[[^\]]+\]:|---)")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+\.)\s+")


def paragraphs(text: str) -> Iterator[list[tuple[int, str]]]:
    """Give the numbered lines of each run of prose; a list item begins a new one."""
    fence = None
    run: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if mark:
            fence = None if fence and line.strip() == fence else fence or mark[1]
        plain = not mark and not fence and line.strip() and not _NOT_PROSE.match(line)
        if run and (not plain or _ITEM.match(line)):
            yield run
            run = []
        if plain:
            run.append((number, line))
    if run:
        yield run


def faults(text: str) -> Iterator[tuple[int, str]]:
    """Find lines that hold two sentences, and lines that break off inside one."""
    for run in paragraphs(text):
        for place, (number, line) in enumerate(run):
            said = re.sub(r"`[^`]*`", "x", _ITEM.sub("", line))
            if _SECOND.search(said):
                yield number, "two sentences"
            if place + 1 < len(run) and not _ENDED.search(said):
                yield number, "a sentence that goes on below"
