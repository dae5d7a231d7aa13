"""What is wrong with links and titles, as findings: a link that leads nowhere, or may lead to several notes.

A note that is linked to and not written yet is normal in many vaults, so none of this is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from loreweave.errors import WARNING, Finding
from loreweave.events.slots import key
from loreweave.notes.links import EMBED, IMAGE, MARKDOWN
from loreweave.notes.model import Link
from loreweave.notes.visible import excerpt
from loreweave.projections.links import MANY_CLAIM, NO_BLOCK, NO_HEADING, NO_NOTE, OUTSIDE, Directory, Resolved
from loreweave.projections.names import NESTED, SUFFIX, stem_of

CODES_OF_LINKS = ("broken-link", "ambiguous-link", "ambiguous-alias")

_SHOWN = 3
_LABEL = 30
_HINTS = {
    NO_NOTE: "write the note it names, or correct the link",
    NO_HEADING: "correct the heading in the link, or write it in that note",
    NO_BLOCK: "correct the id in the link, or write it at the end of the block that is meant",
    OUTSIDE: "link to a note in the vault, or give the address of what is meant",
}


def findings_of_links(links: Iterable[tuple[str, Link]], directory: Directory) -> Iterator[Finding]:
    """Make the findings of links, each given with the path of its note; those that lead to one place have none."""
    for path, link in links:
        found = directory.resolve(path, link)
        if found.broken or found.others:
            code, message, hint = _told(link, found)
            yield Finding(code, message, hint, path, link.line, severity=WARNING)


def findings_of_titles(titles: Iterable[tuple[str, str, str]]) -> Iterator[Finding]:
    """Make a finding for each title that several notes have in one scope, at the first of them.

    ``titles`` are path, title and scope key of the notes that state values: one title is one subject.
    """
    keyed = sorted((scope_key, key(title), path, title) for path, title, scope_key in titles)
    for (scope_key, _), group in groupby(keyed, lambda row: row[:2]):
        rows = list(group)
        if len(rows) > 1:
            paths = [path for _, _, path, _ in rows]
            message = f"The title {excerpt(rows[0][3])} is that of {_listed(paths)}: what they state is of one subject."
            hint = "where they are about different things, give them titles that differ"
            yield Finding("ambiguous-title", message, hint, paths[0], 1, 0, WARNING, scope_key)


def as_written(link: Link) -> str:
    """Write a link as its note has it, but for spaces and escapes."""
    heading = f"{NESTED}{link.heading}" if link.heading else ""
    if link.style in (MARKDOWN, IMAGE):
        label = link.alias or ""
        label = label if len(label) <= _LABEL else f"{label[:_LABEL]}…"
        return f"{'!' * (link.style == IMAGE)}[{label}]({link.target.replace(' ', '%20')}{heading.replace(' ', '%20')})"
    label = f"|{link.alias}" if link.alias else ""
    return f"{'!' * (link.style == EMBED)}[[{link.target}{heading}{label}]]"


def _told(link: Link, found: Resolved) -> tuple[str, str, str]:
    quoted = excerpt(as_written(link))
    if found.reason == MANY_CLAIM:
        name = stem_of(found.others[0])
        hint = f"name the file, as in [[{name}|{link.target}]]"
        return (
            "ambiguous-alias",
            f"{quoted} names an alias of {_listed(found.others)}, and leads to none of them.",
            hint,
        )
    if found.broken:
        return "broken-link", f"{quoted} {_wrong(link, found)}.", _HINTS[found.reason]
    chosen = str(found.target_path)
    hint = f"write more of its path, as in [[{chosen[: -len(SUFFIX)]}]]"
    return "ambiguous-link", f"{quoted} leads to {chosen}, and may as well mean {_listed(found.others)}.", hint


def _wrong(link: Link, found: Resolved) -> str:
    if found.reason == NO_NOTE:
        return "leads to no note"
    if found.reason == OUTSIDE:
        return "leads out of the vault"
    *_, last = str(link.heading).split(NESTED)
    what = "block" if found.reason == NO_BLOCK else "heading"
    return f"leads to {found.target_path}, which has no {what} {excerpt(last)}"


def _listed(paths: Sequence[str]) -> str:
    """Name the first of several things, and say how many more there are."""
    shown = list(paths[:_SHOWN])
    more = len(paths) - len(shown)
    last = f"{more} more" if more else shown.pop() if len(shown) > 1 else ""
    return f"{', '.join(shown)} and {last}" if last else ", ".join(shown)
