"""What one note states, for tests: its statements, what they say, and what is found wrong."""

from __future__ import annotations

from loreweave.events.extract import Extracted, extract
from loreweave.events.statements import Settings, Statement
from loreweave.notes.read import read_note
from loreweave.times import read_instant

ALL = Settings(mode="all")


def read(text: str, settings: Settings | None = None, path: str = "Atlas.md") -> Extracted:
    return extract(read_note(path, text), settings or Settings())


def statements(text: str, settings: Settings | None = None, path: str = "Atlas.md") -> tuple[Statement, ...]:
    return read(text, settings, path).stated.statements


def said(text: str, settings: Settings | None = None, path: str = "Atlas.md") -> list[tuple[str, str]]:
    return [(one.predicate, one.object) for one in statements(text, settings, path)]


def codes(text: str, settings: Settings | None = None, path: str = "Atlas.md") -> list[tuple[int, str]]:
    return [(finding.line, finding.code) for finding in read(text, settings, path).findings]


def day(text: str) -> int:
    return read_instant(text)
