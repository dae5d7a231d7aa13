"""The tags of a note: those of its properties, and each ``#tag`` of its prose, as Obsidian reads them.

A ``#tag`` begins a line or follows a blank, and is made of letters, marks and digits of any script, of symbols such as
emoji, and of ``_``, ``-`` and ``/``. Digits alone are no tag (``#1984``); a colour in prose is one (``#00B7DA``).
Nothing in a wiki link is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from loreweave.notes.model import Frontmatter, Tag
from loreweave.notes.scan import Scan
from loreweave.notes.visible import is_blank

LONGEST = 200
"""How many characters a tag has at most."""

_marked = re.compile(r"#([^\x00-,.:-@\[-^`{-\x7f\s]++)").finditer
_wiki_links = re.compile(r"\[\[[^\[\]\n]*+\]\]").finditer
_list = re.compile(r"[^\s,]++").findall
_CLASSES = frozenset("LMNS")
_joiner = re.compile("[\u200c\u200d\U000e0020-\U000e007f]").match


def tags(scan: Scan, plain: str, frontmatter: Frontmatter) -> tuple[Tag, ...]:
    """Give the tags of a note in order of line; of spellings that differ in case alone only the first.

    ``plain`` is the text of the scan with blanks for all that is not prose, offset for offset.
    """
    found: dict[str, Tag] = {}
    for tag in (*_of_properties(frontmatter), *_of_prose(scan.text, plain)):
        if len(tag.tag) <= LONGEST and not is_blank(tag.tag):
            found.setdefault(unicodedata.normalize("NFC", tag.tag).casefold(), tag)
    return tuple(found.values())


def _of_properties(frontmatter: Frontmatter) -> list[Tag]:
    found = []
    for entry in frontmatter.named("tags", "tag"):
        for text, line in entry.items:
            names = [text.strip()] if entry.is_list else _list(text)
            found += [Tag(name.lstrip("#").rstrip("/"), line) for name in names]
    return sorted(found, key=lambda tag: tag.line)


def _of_prose(text: str, plain: str) -> Iterator[Tag]:
    line, counted = 1, 0
    seen: set[str] = set()
    for found in _free(text, plain):
        if found[1] in seen:
            continue
        seen.add(found[1])
        name = _allowed(found[1])
        if name.strip("_-") and not name.isdecimal():
            line, counted = line + plain.count("\n", counted, found.start()), found.start()
            yield Tag(name, line)


def _free(text: str, plain: str) -> Iterator[re.Match[str]]:
    """Yield what is marked with a ``#`` that nothing stands before, outside of wiki links."""
    links = _wiki_links(plain)
    start = end = 0
    for found in _marked(plain):
        at = found.start()
        if at and not text[at - 1].isspace():
            continue
        while end <= at:
            link = next(links, None)
            start, end = link.span() if link else (len(text), len(text) + 1)
        if at < start:
            yield found


def _allowed(name: str) -> str:
    """Cut a name before the first punctuation mark that is not ASCII; its own slashes stay, but for the last."""
    if not name.isascii():
        ends = (at for at, c in enumerate(name) if not c.isascii() and not _is_allowed(c))
        name = name[: next(ends, None)]
    return name.rstrip("/")


def _is_allowed(char: str) -> bool:
    return unicodedata.category(char)[0] in _CLASSES or _joiner(char) is not None
