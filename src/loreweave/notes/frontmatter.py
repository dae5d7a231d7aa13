"""The frontmatter of a note: what stands between ``---`` lines at its top, as properties and as JSON.

It is safe YAML: a value keeps its line and the text it was written with, be it ``NO``, ``1.10`` or ``007``.
A block that cannot be read is a finding, and no property is guessed from it. What begins with ``---js`` or ``+++`` is
another language, and is neither run nor read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loreweave.errors import WARNING, Finding
from loreweave.notes.model import Frontmatter, Property
from loreweave.notes.nodes import Node, Nodes
from loreweave.notes.scan import Scan
from loreweave.notes.unreadable import Unreadable
from loreweave.notes.visible import excerpt

LONGEST = 1 << 20
"""How many characters of YAML are read."""

_FIRST_LINE = 2
_TEXTS = {"aliases", "alias", "tags", "tag"}
"""What is a list of texts, whatever YAML takes it for."""

_opened = re.compile(r"---[ \t]*+\n[A-Za-z_][\w-]*+:(?:[ \t][^\n]*+)?+\n").match
_comment = re.compile(r"[:-][ \t]++(#\S++)").search


def read_frontmatter(scan: Scan) -> Frontmatter:
    """Read the frontmatter of a scanned text; findings name the line and no path."""
    if not scan.body:
        return Frontmatter(findings=_unclosed(scan.text))
    text = scan.text
    begin = text.index("\n") + 1
    close = text.rfind("\n", 0, scan.body - 1) + 1
    end_line = text.count("\n", 0, close) + 1
    if text[:begin].strip() != "---":
        return Frontmatter(end_line=end_line)
    return _read(text[begin:close])._replace(end_line=end_line)


def _read(block: str) -> Frontmatter:
    try:
        if len(block) > LONGEST:
            why = f"the block that it begins is more than {LONGEST:,} characters long"
            raise Unreadable(why, "let long text stand below the closing ---", _FIRST_LINE)
        nodes = Nodes(block, _FIRST_LINE)
    except Unreadable as unreadable:
        return Frontmatter(findings=(_bad(unreadable, block),))
    if nodes.root is None:
        return Frontmatter()
    if nodes.root.text is not None or nodes.root.is_list:
        why, hint = "it names no properties", "write name: value, or begin the note with a blank line"
        return Frontmatter(findings=(_bad(Unreadable(why, hint, _FIRST_LINE), block),))
    return Frontmatter(_properties(nodes), nodes.root.json, findings=_findings(nodes, block))


def _unclosed(text: str) -> tuple[Finding, ...]:
    """Say that what reads like frontmatter is none, for it never ends."""
    if not _opened(text):
        return ()
    message = 'The frontmatter that "---" begins has no end, so that its properties are read as prose.'
    return (_warn("bad-frontmatter", message, "write --- on a line of its own below them", 1),)


def _properties(nodes: Nodes) -> tuple[Property, ...]:
    return tuple(
        Property(name, value.items if value.is_list else value.item, value.is_list, lines[-1])
        for name, (lines, value) in nodes.entries.items()
    )


def _findings(nodes: Nodes, block: str) -> tuple[Finding, ...]:
    lines = block.split("\n")
    found = [_repeated(name, at) for name, at in nodes.repeated]
    for name, entry in nodes.entries.items():
        found += _left_out(name, entry.value, lines)
    return tuple(sorted(found, key=lambda finding: finding.line))


def _left_out(name: str, value: Node, lines: list[str]) -> Iterator[Finding]:
    """Say what of a value is no item, though it was perhaps meant as one."""
    if value.empty:
        yield _empty(_items(name, value.empty), value.empty, lines)
    elif value.is_empty and not value.text and _comment(lines[value.line - _FIRST_LINE]):
        yield _empty(f"The property {excerpt(name)} is", (value.line,), lines)
    if value.nested and (value.items or name.casefold() in _TEXTS):
        written = lines[value.nested[0] - _FIRST_LINE].strip().removeprefix("-")
        message = f"{_items(name, value.nested)} no text, and left out: {excerpt(written)}."
        yield _warn("nested-item", message, "put it in quotes", value.nested[0])


def _items(name: str, lines: tuple[int, ...]) -> str:
    return f"An item of {excerpt(name)} is" if len(lines) == 1 else f"{len(lines):,} items of {excerpt(name)} are"


def _bad(unreadable: Unreadable, block: str) -> Finding:
    """Say what is wrong at its line, or at the last one above that is not blank."""
    lines = block.split("\n")[: unreadable.line - _FIRST_LINE + 1]
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()
    line = _FIRST_LINE + len(lines) - 1
    message = f"The frontmatter cannot be read, and is left out, because of {excerpt(lines[-1])}: {unreadable.why}."
    return _warn("bad-frontmatter", message, unreadable.hint, line, unreadable.column if line == unreadable.line else 0)


def _repeated(name: str, lines: list[int]) -> Finding:
    stands = f"{lines[0]} and {lines[1]}" if len(lines) == 2 else f"{lines[0]} to {lines[-1]}, {len(lines):,} times"
    message = f"The key {excerpt(name)} stands on lines {stands}: the last one counts."
    return _warn("duplicate-key", message, "keep one of them", lines[-1])


def _empty(subject: str, at: tuple[int, ...], lines: list[str]) -> Finding:
    """Say that nothing stands where a value should, and whether that is because of a ``#``."""
    comment = next((found[1] for line in at if (found := _comment(lines[line - _FIRST_LINE]))), None)
    if comment is None:
        return _warn("empty-item", f"{subject} empty.", "give it a value, or take it out", at[0])
    message = f"{subject} empty: {excerpt(comment)} begins a comment."
    return _warn("empty-item", message, "write it without the #, or in quotes", at[0])


def _warn(code: str, message: str, hint: str, line: int, column: int = 0) -> Finding:
    return Finding(code, message, hint, line=line, column=column, severity=WARNING)
