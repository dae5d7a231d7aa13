"""A note as it was read: its title, properties, headings, spans, links and tags.

Lines count from 1, from the top of the file.
Nothing here knows of other notes: what a link leads to is decided where all notes are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import attrs

from loreweave.errors import Finding
from loreweave.notes.scan import Scan
from loreweave.times import Instant

_SEPARATORS = str.maketrans("-_", "  ")


class Item(NamedTuple):
    """A scalar of a property: its text as written, without quotes, and its line.

    What is empty or null is none, nor is the placeholder of a template, ``{{date}}`` or ``<% date %>``.
    """

    text: str
    line: int


class Property(NamedTuple):
    """A property of the frontmatter: its name as written, its scalars (of a list: its items), and its line.

    What is deeper than a list of scalars is no item. ``is_list`` holds for a list of one item too.
    """

    name: str
    items: tuple[Item, ...]
    is_list: bool
    line: int


class Frontmatter(NamedTuple):
    """What stands between the ``---`` lines: properties in the order of their lines, and all of it as JSON text.

    ``end_line`` is the line of the closing mark, 0 where there is no frontmatter.
    """

    properties: tuple[Property, ...] = ()
    json: str = "{}"
    end_line: int = 0
    findings: tuple[Finding, ...] = ()

    def named(self, *names: str) -> Iterator[Property]:
        """Yield the properties of these names, name by name; case counts not, and ``-``, ``_`` and a blank are one."""
        found = [(entry.name.casefold().translate(_SEPARATORS).strip(), entry) for entry in self.properties]
        return (entry for name in names for written, entry in found if written == name)


class Heading(NamedTuple):
    """A heading: its level from 1 to 6, its text as written without marks, and the lines it stands on."""

    level: int
    text: str
    line: int
    end_line: int


class Span(NamedTuple):
    """A passage: the heading it stands under, the headings above that, its lines, its text and the text's sha256.

    ``anchor`` is the text of the nearest heading, empty before the first; ``heading_path`` runs from the outermost
    heading to the anchor. The heading's own line is part of the span, and ``body_hash`` the first 16 digits of the
    hash of what stands below it: of the whole text where there is no heading, or nothing else.
    """

    anchor: str
    heading_path: tuple[str, ...]
    start_line: int
    end_line: int
    text: str
    hash: str
    body_hash: str


class Link(NamedTuple):
    """A link as written: what it names, the heading or ``^block`` in it, the text shown for it.

    ``style`` is ``wiki``, ``embed`` or ``markdown``. ``target`` is empty for a link within the note; of a Markdown
    link it is the path, percent signs decoded.
    """

    line: int
    target: str
    style: str
    heading: str | None = None
    alias: str | None = None


class Tag(NamedTuple):
    """A tag without its ``#``, as written, and the line where the note has it first."""

    tag: str
    line: int


@attrs.frozen
class Note:
    """A note read. ``path`` is relative to the vault; ``dated`` is the date the note as a whole bears, if any.

    ``blocks`` are the ids of its ``^block`` marks. ``findings`` have a line, and the note's path.
    """

    path: str
    title: str
    aliases: tuple[str, ...]
    tags: tuple[Tag, ...]
    frontmatter: Frontmatter
    headings: tuple[Heading, ...]
    blocks: tuple[str, ...]
    spans: tuple[Span, ...]
    links: tuple[Link, ...]
    dated: Instant | None
    scan: Scan
    plain: str
    findings: tuple[Finding, ...]
