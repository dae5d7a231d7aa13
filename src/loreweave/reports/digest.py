"""The pages of a report: the digest of a day, and the review queue in which a person ticks what is settled.

Both are Markdown of our own under ``lore/``, and no notes. What they quote of notes stands as code, so that it is
neither a link nor a tag; the notes themselves are linked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import attrs

from loreweave.events.inbox import INBOX, inbox_of
from loreweave.notes.visible import reveal
from loreweave.reports.queue import Entry, merge
from loreweave.reports.told import HEADINGS, Style, lists, marks, told
from loreweave.times import Instant, show_instant

if TYPE_CHECKING:
    from loreweave.reports.dream import Dream

DIGESTED = 10
"""How many of each kind stand in a digest."""

UNSETTLED = tuple(name for name in HEADINGS if name != "changes")
"""The lists whose items wait for a person; that something changed waits for nobody."""

_blanks = re.compile(r"\s+")
_unlinkable = re.compile(r"[\[\]|^#\\`%]").search


@attrs.frozen
class Pages:
    """What is to be written: the digest, where there is none yet, and the queue, made from the one that is there."""

    digest_path: str
    digest: str
    queue_path: str
    queue: Callable[[str], str]


def pages(report: Dream, now: Instant) -> Pages:
    """Give the pages of a whole report."""
    suffix = inbox_of(report.scope).removeprefix(INBOX.removesuffix(".md"))
    day = show_instant(now)[:10]
    return Pages(
        f"lore/digests/{day}{suffix}",
        "\n".join(_digest(report, day)) + "\n",
        f"lore/review-queue{suffix}",
        partial(merge, {HEADINGS[name]: _entries(report, name) for name in UNSETTLED}),
    )


def _entries(report: Dream, name: str) -> list[Entry]:
    """Give an entry for each item of a list."""
    items = getattr(report, name).items
    return [Entry(mark, partial(told, item, MARKDOWN)) for mark, item in zip(marks(name, items), items, strict=True)]


def _digest(report: Dream, day: str) -> Iterator[str]:
    counts = ", ".join(f"{count:,} {name}" for name, count in report.counts.items())
    yield from (
        "---",
        f"title: Lore Digest {day}",
        "tags: [lore-digest]",
        "---",
        "",
        f"# Lore Digest {day}",
        "",
        counts,
    )
    for name, found in lists(report):
        yield from ("", f"## {HEADINGS[name].capitalize()}", "")
        if found.unavailable:
            yield f"n/a: {found.unavailable}."
        elif not found.of:
            yield "None."
        for item in found.items[:DIGESTED]:
            yield f"- {told(item, MARKDOWN)}"
        if found.of > DIGESTED:
            yield f"- and {found.of - DIGESTED:,} more"


def _code(text: str) -> str:
    """Write a text of notes as code of one line."""
    plain = reveal(_blanks.sub(" ", text).strip())[1:-1].replace("`", "'")
    return f"`{plain}`"


def _link(place: str) -> str:
    """Link the note, and the heading, of an address; what no link can name stands as code."""
    passage = re.sub(r":\d+(-\d+)?\Z", "", place)
    path, _, anchor = passage.partition(".md#")
    path = path.removesuffix(".md")
    if not _is_linkable(path) or path.startswith("lore/"):
        return _code(place)
    return f"[[{path}#{anchor}]]" if anchor and _is_linkable(anchor) else f"[[{path}]]"


def _is_linkable(name: str) -> bool:
    """Say whether a link can name it and a reader see it."""
    return name.isprintable() and not _unlinkable(name)


MARKDOWN = Style(_code, _code, _link, _link)
"""How a page quotes and links."""
