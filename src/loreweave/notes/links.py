"""Links as they are written: wiki links, embeds, Markdown links and images, found in one pass over the prose of a note.

A link is found where code and comments are blank, and cut out of the text itself. What leads out of the vault is no
link: an address with a scheme, and a bare ``#anchor`` of Markdown. Nor is a placeholder of a template.
In a note written by Dendron the label stands before the bar and the target after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple
from urllib.parse import unquote

from loreweave.notes.model import Frontmatter, Link

WIKI, EMBED, MARKDOWN, IMAGE = "wiki", "embed", "markdown", "image"

_WIKI = r"\[\[(?!\[)(?P<wiki>(?:[^\[\]\n]++|\[[^\[\]\n]*+\])++)\]\]"
_PLAIN = r"[^\[\]\\\n]++|\\[^\n]|\n(?![ \t]*+\n)"
_NEST = rf"\[(?:{_PLAIN}|\[(?:{_PLAIN}|\[(?:{_PLAIN})*+\])*+\])*+\]"
_TEXT = rf"\[(?=(?P<text>(?:{_PLAIN}|{_NEST})*+)\]"
_PASSED = r"\\[^\n](?:\\[^\n])*+|\[\[*(?=\[\[)"
_inline = re.compile(rf"{_PASSED}|{_WIKI}|{_TEXT}\()").finditer
_any = re.compile(rf"{_PASSED}|{_WIKI}|{_TEXT})").finditer
_wiki = re.compile(_WIKI).finditer

_BLANK = r"[ \t]*+(?:\n[ \t]*+)?"
_BARE = r"[^\x00-\x20\x7f()\\]|\\."
_NESTED = rf"(?:{_BARE}|\((?:{_BARE}|\((?:{_BARE})*+\))*+\))"
_TARGET = rf"(?:<(?P<angle>(?:[^<>\n\\]|\\.)*+)>|(?P<bare>(?!<){_NESTED}*+))"
_TITLE = r"""(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\))"""
_destination = re.compile(rf"\({_BLANK}{_TARGET}(?:(?=[ \t\n]){_BLANK}{_TITLE})?{_BLANK}\)").match
_label = re.compile(r"\[((?:[^\[\]\\]|\\.){0,999}+)\]").match
_definition = re.compile(r"^(?: {0,3}>)*+ {0,3}\[(?!\^)((?:[^\[\]\\]|\\.){1,999}+)\]:", re.MULTILINE).finditer
_defined = re.compile(rf"{_BLANK}{_TARGET}(?:[ \t]|\n|\Z)").match

_bar = re.compile(r"\\?\|").search
_scheme = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+:|//").match
_wiki_scheme = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+://").match
_placeholder = re.compile(r"\{\{|\{%|<%").search
_query = re.compile(r"(?<=\.md)\?[^#]*+", re.IGNORECASE)
_escape = re.compile(r"\\([!-/:-@\[-`{-~])")
_block = re.compile(r"\^(?<![^ \t\n]\^)([A-Za-z0-9_-]++)[ \t]*+$", re.MULTILINE).finditer

LONGEST = 1_000
"""The characters that a target or a heading may have; no path is longer, and what is longer is no link."""

_DENDRON = {"id", "desc", "updated", "created"}
_dendron_vault = re.compile(r"dendron://[^/]*+/").match
_dendron_range = re.compile(r"(?:,[0-9]+)?(?::(?:#.*+)?)?\Z")

Parts = tuple[str, str | None]
"""A path and a fragment, both decoded."""

_Range = tuple[int, int]
_NOWHERE = (-1, -1)


class _Written(NamedTuple):
    """The text of a note, its prose, and its definitions: what labels refer to, and where those labels stand.

    ``label_first`` as Dendron writes links.
    """

    text: str
    plain: str
    definitions: dict[str, Parts | None]
    defined_at: set[int]
    label_first: bool


def links(plain: str, text: str, frontmatter: Frontmatter) -> tuple[Link, ...]:
    """Give the links of a note in order of line: those in properties, then those in its prose.

    ``plain`` is ``text`` with blanks for all that is not prose, offset for offset.
    """
    label_first = {entry.name for entry in frontmatter.properties} >= _DENDRON
    written = _Written(text, plain, *_definitions(plain, text), label_first)
    return (*_in_properties(frontmatter, label_first), *_in_prose(written))


def blocks(plain: str) -> tuple[str, ...]:
    """Give the ids of the ``^block`` marks that end lines, in order."""
    return tuple(found[1] for found in _block(plain))


def _in_properties(frontmatter: Frontmatter, label_first: bool) -> Iterator[Link]:
    for entry in frontmatter.properties:
        for text, line in entry.items:
            for found in _wiki(text):
                at = found.start()
                style = EMBED if at and text[at - 1] == "!" else WIKI
                if link := _wiki_link(found["wiki"], style, line, label_first):
                    yield link


def _in_prose(written: _Written) -> Iterator[Link]:
    plain, line, counted, passed = written.plain, 1, 0, 0
    taken: list[_Range] = []
    for found in (_any if written.definitions else _inline)(plain):
        at = found.start()
        while taken and taken[-1][1] <= at:
            taken.pop()
        if found.lastgroup is None:
            passed = found.end() if plain[at] == "\\" else passed
        elif not (taken and taken[-1][0] <= at) and at not in written.defined_at:
            line, counted = line + plain.count("\n", counted, at), at
            embeds = passed < at and plain[at - 1] == "!"
            if found["wiki"] is not None:
                link = _wiki_of(written, found, embeds, line)
            else:
                link, destination = _markdown_of(written, found, embeds, line)
                taken += [destination] if link else []
            if link:
                yield link


def _wiki_of(written: _Written, found: re.Match[str], embeds: bool, line: int) -> Link | None:
    if found["wiki"].isspace():
        return None
    start, end = found.span("wiki")
    return _wiki_link(written.text[start:end], EMBED if embeds else WIKI, line, written.label_first)


def _wiki_link(inner: str, style: str, line: int, label_first: bool) -> Link | None:
    """Make the link of what stands between the brackets; None where it names nothing, or something outside."""
    bar = _bar(inner)
    target, label = (inner[: bar.start()], inner[bar.end() :].strip()) if bar else (inner, "")
    if label_first:
        target, label = (label, target.strip()) if bar else (target, label)
        if prefix := _dendron_vault(target.strip()):
            target = target.strip()[prefix.end() :]
    target, _, heading = (part.strip() for part in target.partition("#"))
    if label_first:
        heading = _dendron_range.sub("", heading, count=1)
    if not (target or heading) or max(len(target), len(heading)) > LONGEST:
        return None
    if _wiki_scheme(target) or _placeholder(inner):
        return None
    return Link(line, target, style, heading or None, label or None)


def _markdown_of(written: _Written, found: re.Match[str], embeds: bool, line: int) -> tuple[Link | None, _Range]:
    """Make the link that begins with this bracket, if it is one; and tell the range of its destination."""
    start, end = found.span("text")
    inline = _destination(written.text, end + 1) if written.plain.startswith("(", end + 1) else None
    parts, taken = (_parts(inline), inline.span()) if inline else _referred(written, start, end)
    if parts is None:
        return None, _NOWHERE
    label = " ".join(written.text[start:end].split())
    return Link(line, parts[0], IMAGE if embeds else MARKDOWN, parts[1], label or None), taken


def _referred(written: _Written, start: int, end: int) -> tuple[Parts | None, _Range]:
    """Give what a full, collapsed or short reference leads to, and the range of the label it has after its text."""
    label = _label(written.plain, end + 1)
    name = (label and written.text[label.start(1) : label.end(1)]) or written.text[start:end]
    return written.definitions.get(_folded(name)), label.span() if label else _NOWHERE


def _definitions(plain: str, text: str) -> tuple[dict[str, Parts | None], set[int]]:
    definitions: dict[str, Parts | None] = {}
    places: set[int] = set()
    for found in _definition(plain):
        label = _folded(text[found.start(1) : found.end(1)])
        if label and (target := _defined(text, found.end())):
            definitions.setdefault(label, _parts(target))
            places.add(found.start(1) - 1)
    return definitions, places


def _folded(label: str) -> str:
    return " ".join(label.casefold().split())


def _parts(found: re.Match[str]) -> Parts | None:
    """Split a destination into path and fragment; None where it leads to nothing in the vault."""
    written = found["bare"] if found["angle"] is None else found["angle"]
    if "\\" in written or "&" in written:
        written = unescape(_escape.sub(r"\1", written))
    if written.startswith(("#", "[[", "((")) or _scheme(written) or _placeholder(written):
        return None
    path, _, fragment = _query.sub("", written).partition("#")
    if not path or max(len(path), len(fragment)) > LONGEST:
        return None
    return unquote(path), unquote(fragment) or None
