"""What a note is called, and the places in it that a link can name: rows of one note each, by the key of a link.

A name is compared as Obsidian does it, case and normal form aside, and invisible marks aside too; ``-``, ``_`` and a
blank stay three things. A heading is compared by its letters and digits alone: ``#My heading!``, ``#my-heading`` and
the slug of a site all mean it.
Logseq writes ``a/b`` into a file name as ``a___b`` or ``a%2Fb``, a day as ``2024_01_31``, and aliases above the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from loreweave.notes.links import LONGEST
from loreweave.notes.model import Heading, Note
from loreweave.notes.visible import without_invisible

NAME, TITLE, ALIAS = "name", "title", "alias"
SUFFIX = ".md"
BLOCK = "^"
NESTED = "#"

_MEMO_SIZE = 200_000
_DAY = re.compile(r"[12][0-9]{3}_(0[1-9]|1[0-2])_(0[1-9]|[12][0-9]|3[01])\Z")
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_PAGE_PROPERTY = re.compile(r"[ \t]*+([A-Za-z][\w-]*+)::[ \t]*+([^\n]*+)(?:\n|\Z)")
_BRACKETS = re.compile(r"\A(?:\[\[|#)*+|\]\]\Z")
_LINKED = re.compile(r"\[\[(?:[^\[\]|]*+\|)?+([^\[\]|]*+)\]\]|\[([^\[\]]*+)\]\([^()]*+\)")
_MARKED = re.compile(r"<[^<>]*+>|\{#[^{}]*+\}")
_IDENTITY = re.compile(r"<[A-Za-z][^<>]*?\s(?:name|id)=[\"']?([^\"'\s<>]++)|\{#([^{}\s]++)\}[ \t]*+$", re.MULTILINE)
_NOT_ASCII_WORD = re.compile(r"[^a-z0-9]++")


class Name(NamedTuple):
    """A name of a note, of the kind ``name``, ``title`` or ``alias``; ``key`` is that of all links it may answer."""

    path: str
    key: str
    kind: str
    name: str


class Anchor(NamedTuple):
    """A place in a note: ``^`` and the id of a block, or the keys of a heading and those above it, joined by ``#``."""

    path: str
    key: str


@lru_cache(maxsize=_MEMO_SIZE)
def spelling(text: str) -> str:
    """Give the form in which two names are compared: NFC, case folded, nothing invisible, white space collapsed."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", without_invisible(text)).casefold())
    return " ".join(text.lower().split())


@lru_cache(maxsize=_MEMO_SIZE)
def heading_key(text: str) -> str:
    """Give the letters and digits of a heading, case folded; of one that has none, its spelling."""
    text = text[:LONGEST]
    if text.isascii():
        return _NOT_ASCII_WORD.sub("", text.lower()) or spelling(text)
    folded = unicodedata.normalize("NFKC", without_invisible(text).casefold())
    return "".join(c for c in folded if c.isalnum() or unicodedata.category(c)[0] == "M") or spelling(text)


def name_key(target: str) -> str:
    """Give the key of all names that a link with this target may mean: its last part, spelled, without ``.md``.

    No other name can change where the link leads, whether it comes or goes. Empty for a link within its own note.
    """
    return _last(spelling(target).removesuffix(SUFFIX))


def names_of(note: Note) -> Iterator[Name]:
    """Give the names of a note: of its file, its title, its aliases; each spelling once, and the file's first."""
    stem = stem_of(note.path)
    told = list(_page_properties(note.plain, note.frontmatter.end_line))
    named = [(NAME, name) for name in (stem, *_logseq_names(stem))]
    named += [(TITLE, note.title), *((TITLE, text) for key, text in told if key == "title")]
    named += [(ALIAS, alias) for alias in note.aliases]
    named += [(ALIAS, alias) for key, text in told if key in ("alias", "aliases") for alias in text.split(",")]
    seen = set()
    for kind, raw in named:
        name = raw if kind == NAME else _BRACKETS.sub("", raw.strip()).strip()
        spelled = spelling(name) if kind == NAME else spelling(name).removesuffix(SUFFIX)
        if spelled and len(name) <= LONGEST and spelled not in seen:
            seen.add(spelled)
            yield Name(note.path, _last(spelled), kind, name)


def anchors_of(note: Note) -> Iterator[Anchor]:
    """Give the places of a note that a link can name: its headings, with those above them, its blocks and its ids."""
    keys = dict.fromkeys(_heading_keys(note.headings))
    keys |= dict.fromkeys(BLOCK + block.lower() for block in note.blocks)
    keys |= dict.fromkeys(heading_key(found[1] or found[2]) for found in _IDENTITY.finditer(note.scan.text))
    return (Anchor(note.path, key) for key in keys)


def stem_of(path: str) -> str:
    """Give the file name of a note without its ending."""
    return path.rpartition("/")[2][: -len(SUFFIX)]


def _last(spelled: str) -> str:
    return spelled.rstrip("/").rpartition("/")[2]


def _logseq_names(stem: str) -> Iterator[str]:
    if "___" in stem or "%" in stem:
        yield unquote(stem.replace("___", "/"))
    if _DAY.match(stem):
        year, month, day = (int(part) for part in stem.split("_"))
        ending = "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
        yield f"{_MONTHS[month - 1]} {day}{ending}, {year}"


def _page_properties(plain: str, end_line: int) -> Iterator[tuple[str, str]]:
    """Give the ``name:: text`` lines that stand above everything else."""
    at = 0
    for _ in range(end_line):
        at = plain.find("\n", at) + 1
    while found := _PAGE_PROPERTY.match(plain, at):
        yield found[1].lower(), found[2][:LONGEST]
        at = found.end()


def _heading_keys(headings: tuple[Heading, ...]) -> Iterator[str]:
    """Give each heading's chain of keys; of those that read alike, a site numbers all but the first."""
    above: list[tuple[int, str]] = []
    alike: Counter[str] = Counter()
    for heading in headings:
        while above and above[-1][0] >= heading.level:
            above.pop()
        own = heading_key(heading.text)
        chain = "".join(key + NESTED for _, key in above)
        for key in dict.fromkeys((own, heading_key(_shown(heading.text)))):
            yield chain + key
            if alike[key]:
                yield f"{chain}{key}{alike[key]}"
            alike[key] += 1
        above.append((heading.level, own))


def _shown(text: str) -> str:
    """Give what a reader sees of a heading: the text of its links, no tags, no ``{#id}``."""
    return _MARKED.sub("", _LINKED.sub(lambda found: found[1] or found[2] or "", text))
