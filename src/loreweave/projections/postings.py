"""Which words a passage is found by, and how often it has each: its text apart from what is said about it.

What is said about a passage is its metadata: the title of its note, the headings above it, the note's tags and
aliases, what its frontmatter says it is ``about``, and its folder; what two of these say alike counts once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from loreweave.notes.model import Note
from loreweave.notes.words import terms

TEXT, METADATA = "text", "metadata"
"""The two fields in which a term is counted, as the column ``field`` names them."""

_SAID_OF_A_NOTE = ("about",)


class Counted(NamedTuple):
    """The terms of one field of a passage, each with how often it stands there."""

    span_id: int
    field: str
    scope_key: str
    counts: Counter[str]

    @property
    def length(self) -> int:
        """Give how many words the field has."""
        return self.counts.total()

    def rows(self) -> Iterator[tuple[str, str, int, int, int, str]]:
        """Give the rows of ``postings``: term, field, span, frequency, length of the field, scope."""
        length = self.length
        for term, count in self.counts.items():
            yield term, self.field, self.span_id, count, length, self.scope_key


def counted(note: Note, span_ids: Sequence[int], scope_key: str, stemmer: str) -> list[Counted]:
    """Count the terms of every passage of a note: two fields each, text and metadata."""
    of_note = _said_of(note)
    found, of_headings = [], dict[tuple[str, ...], Counter[str]]()
    for span_id, span in zip(span_ids, note.spans, strict=True):
        metadata = of_headings.get(span.heading_path)
        if metadata is None:
            said = "\n".join(dict.fromkeys([*of_note, *span.heading_path]))
            metadata = of_headings[span.heading_path] = Counter(terms(said, stemmer))
        found.append(Counted(span_id, TEXT, scope_key, Counter(terms(span.text, stemmer))))
        found.append(Counted(span_id, METADATA, scope_key, metadata))
    return found


def _said_of(note: Note) -> list[str]:
    """Give what is said of a whole note: its names, its tags, what it is about, and the folders it stands in."""
    about = [item.text for entry in note.frontmatter.named(*_SAID_OF_A_NOTE) for item in entry.items]
    folders = note.path.split("/")[:-1]
    return [note.title, *note.aliases, *[tag.tag for tag in note.tags], *about, *folders]
