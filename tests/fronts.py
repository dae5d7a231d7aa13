"""Frontmatter read from a few lines, for tests of what it says and of what is wrong with it."""

from __future__ import annotations

from loreweave.notes.frontmatter import read_frontmatter
from loreweave.notes.model import Frontmatter
from loreweave.notes.scan import scan


def frontmatter(block: str) -> Frontmatter:
    return read_frontmatter(scan(f"---\n{block}---\n# Atlas\n"))


def values(read: Frontmatter) -> dict[str, list[str]]:
    return {entry.name: [item.text for item in entry.items] for entry in read.properties}


def codes(read: Frontmatter) -> list[tuple[str, int]]:
    return [(finding.code, finding.line) for finding in read.findings]
