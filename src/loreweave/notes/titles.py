"""What a note is called: its title, which is the subject of what it states, and the other names it goes by.

The title is the property ``title``, else ``name``, else the first heading of level one, else the name of the file.
A heading or file name that says only what kind of file this is (``README``, ``index``, ``Overview``) names nothing:
such a file takes the name of its folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from loreweave.notes.cleaning import clean, clean_links
from loreweave.notes.model import Frontmatter, Heading
from loreweave.notes.visible import is_blank, is_placeholder

LONGEST = 2_000
"""How many characters of a title are kept."""

GENERIC = frozenset(
    "readme index _index skill home notes note main overview about summary doc docs contents toc agents default".split()
)

_READ = 2 * LONGEST
_embeds = re.compile(r"!\[\[[^\[\]]*+\]\]").sub
_id = re.compile(r"\s*+\{#[^{}]*+\}\s*+\Z|\s\^[A-Za-z0-9-]++\s*+\Z").sub


def title_of(path: str, frontmatter: Frontmatter, headings: Iterable[Heading]) -> str:
    """Give the title of the note at ``path``: never blank, on one line, at most 2,000 characters."""
    for entry in frontmatter.named("title", "name"):
        if entry.items and not entry.is_list and (title := _on_one_line(clean_links(entry.items[0].text[:_READ]))):
            return title
    named = (_on_one_line(_shown(heading.text)) for heading in headings if heading.level == 1)
    title = next(filter(None, named), "")
    return title if title and not _is_generic(title) else _named_by_file(path)


def aliases_of(frontmatter: Frontmatter) -> tuple[str, ...]:
    """Give the other names of a note, as written: the items of ``aliases`` and ``alias``."""
    names = [item.text.strip() for entry in frontmatter.named("aliases", "alias") for item in entry.items]
    return tuple(dict.fromkeys(names))


def _shown(heading: str) -> str:
    """Give what a reader sees of a heading; an image embedded in it is not read, nor is the id at its end."""
    return clean(_id("", _embeds("", heading[:_READ])))


def _on_one_line(text: str) -> str:
    text = " ".join(text[:_READ].split())[:LONGEST].rstrip()
    return "" if is_blank(text) or is_placeholder(text) else text


def _is_generic(name: str) -> bool:
    return name.casefold() in GENERIC


def _named_by_file(path: str) -> str:
    *folders, name = path.split("/")
    stem = name[:-3] if name.casefold().endswith(".md") else name
    if folders and (_is_generic(stem) or is_blank(stem)):
        stem = folders[-1]
    return _on_one_line(stem) or " ".join(path.split())[:LONGEST].rstrip()
