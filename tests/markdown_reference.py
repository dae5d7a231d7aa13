"""What a text is made of, as the reference parser sees it and as ours does, in one form, so that they can be compared.

Left out are the few places where the two are meant to differ, each with its reason: ``is_apart``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from loreweave.notes.fences import CONTAINER, FENCE
from loreweave.notes.headings import headings
from loreweave.notes.indented import indented_code
from loreweave.notes.inline import CODE
from loreweave.notes.plain import LineNumbers, not_prose
from loreweave.notes.scan import scan

Lines = tuple[int, int]

_parser = MarkdownIt("commonmark")
_item = re.compile(r"\s*(?:[*+-]|[0-9]{1,9}[.)])[ \t]+\S")
_raw = re.compile(r"<(?:(?:script|pre|style|textarea)(?=[\s>])|[!?])", re.IGNORECASE)


class Structure(NamedTuple):
    """Headings that stand in nothing; the lines of code and HTML, from and to; code inside lines, blanks made one."""

    headings: list[tuple[int, str, int, int]]
    fences: list[Lines]
    indented: list[int]
    comments: list[Lines]
    raw: list[Lines]
    code: list[str]


def by_reference(text: str) -> Structure:
    found = Structure([], [], [], [], [], [])
    tokens = _parser.parse(text)
    for token, inside in zip_longest(tokens, tokens[1:]):
        if token.type == "inline":
            found.code.extend(_in_one_line(child.content) for child in _flat(token) if child.type == "code_inline")
        elif token.type == "heading_open" and token.level == 0 and inside:
            words = " ".join(line.strip() for line in inside.content.split("\n"))
            found.headings.append((int(token.tag[1]), words, *_lines(token)))
        elif token.type == "fence":
            found.fences.append(_lines(token))
        elif token.type == "code_block" and _item.match(token.content):
            found.code.extend(by_reference(token.content).code)
        elif token.type == "code_block":
            code = enumerate(token.content.split("\n"), _lines(token)[0])
            found.indented.extend(number for number, line in code if line.strip(" \t"))
        elif token.type == "html_block" and _raw.match(token.content.lstrip()):
            kind = found.comments if token.content.lstrip().startswith("<!--") else found.raw
            kind.append(_lines(token))
    return found


def _lines(token: Token) -> Lines:
    assert token.map
    return token.map[0] + 1, token.map[1]


def _flat(token: Token) -> Iterator[Token]:
    for child in token.children or []:
        yield child
        yield from _flat(child)


def by_ours(text: str) -> Structure:
    read = scan(text)
    found = Structure([tuple(heading) for heading in headings(read)], [], [], [], [], [])
    number = LineNumbers(read.text)
    for start, end in read.hidden:
        lead = CONTAINER.match(read.text, start)
        if lead and start not in read.inner:
            if FENCE.match(read.text, lead.end()):
                found.fences.append((number(start), number(end - 1)))
            elif read.text.startswith("<!--", lead.end()):
                found.comments.append((number(start), number(end - 1)))
    found.raw.extend((number(start), number(end - 1)) for start, end in read.raw)
    found.indented.extend(number(start) for start, _ in indented_code(read))
    code = [read.text[start:end] for kind, start, end in not_prose(read) if kind == CODE]
    found.code.extend(_in_one_line(re.fullmatch(r"(`+)(.*)\1", each, re.DOTALL)[2]) for each in code)  # type: ignore[index]
    return found


def _in_one_line(code: str) -> str:
    return " ".join(code.replace(">", "").split())


def reference_text(text: str) -> str:
    """Make blank lines of what the reference does not know: frontmatter, and comments between percent signs."""
    read = scan(text)
    percents = [(start, end) for start, end in read.hidden if start and re.match("[^\n]*%%", read.text[start:end])]
    parts, at = ["\n" * read.text.count("\n", 0, read.body)], read.body
    for start, end in percents:
        parts += read.text[at:start], "\n" * read.text.count("\n", start, end)
        at = end
    return "".join([*parts, read.text[at:]])


def _html_holds(text: str, mark: str) -> bool:
    blocks = [token.content.lstrip() for token in _parser.parse(text) if token.type == "html_block"]
    return any(mark in block for block in blocks if not _raw.match(block))


def _code_below_text(text: str) -> bool:
    lines = text.split("\n")
    starts = [token.map[0] for token in _parser.parse(text) if token.type == "code_block" and token.map]
    return any(start and lines[start - 1].strip(" \t>") for start in starts)


OURS: dict[str, Callable[[str], object]] = {
    "a comment that begins a line of HTML hides all up to its end": lambda text: _html_holds(text, "<!--"),
    "backticks in HTML mark code: what is shown there is not meant": lambda text: _html_holds(text, "`"),
    "the line on which a comment ends is hidden as a whole": re.compile(r"-->[^\n]*`").search,
    "no comment begins in a tagged bullet": re.compile(r"\[\w{2,}\].*<!--", re.DOTALL).search,
}
"""Where ours is meant to differ."""

THEIRS: dict[str, Callable[[str], object]] = {
    "it takes a line far in below definitions of links for code": re.compile(r"\]:").search,
    "it ends a paragraph of an item at a line too far in to begin anything": _code_below_text,
    "it counts tabs from the mark of a quote": lambda text: "\t" in text and ">" in text,
    "it ends no comment at three hyphens": re.compile("--->").search,
}
"""Where the reference departs from CommonMark."""


def is_apart(text: str) -> bool:
    """Say whether a text holds what the two are meant to read differently."""
    return any(applies(text) for applies in (*OURS.values(), *THEIRS.values()))
