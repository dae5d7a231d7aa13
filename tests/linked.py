"""Small vaults of notes that link to each other, read in memory."""

from __future__ import annotations

from loreweave.errors import Finding
from loreweave.notes.model import Note
from loreweave.notes.read import read_note
from loreweave.projections.faults import findings_of_links
from loreweave.projections.links import Directory, Resolved
from loreweave.projections.names import anchors_of, names_of

SOURCE = "work/source.md"


def directory(*notes: Note) -> Directory:
    return Directory(
        (row for note in notes for row in names_of(note)), (row for note in notes for row in anchors_of(note))
    )


def lead(text: str, files: dict[str, str], source: str = SOURCE) -> list[Resolved]:
    """Say where the links of a text lead that is the note at ``source`` among others."""
    note = read_note(source, text)
    found = directory(note, *(read_note(path, text) for path, text in files.items()))
    return [found.resolve(source, link) for link in note.links]


def targets(text: str, files: dict[str, str], source: str = SOURCE) -> list[str | None]:
    return [found.target_path for found in lead(text, files, source)]


def told(text: str, files: dict[str, str], source: str = SOURCE) -> list[Finding]:
    note = read_note(source, text)
    found = directory(note, *(read_note(path, text) for path, text in files.items()))
    return list(findings_of_links(((source, link) for link in note.links), found))
