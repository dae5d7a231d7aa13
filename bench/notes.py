"""Vaults as a team's would be: the notes that indexing is measured on.

A note has about 1.2 KB: frontmatter of three to six keys, three headings and so three spans, two links to other notes,
tags, and three values (two properties and an inline field). Twenty notes a folder. The same number of notes gives the
same bytes anywhere.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from random import Random

SEED = 20240229
FIRST_DAY = date(2019, 1, 1)
VALUES_A_NOTE = 3
A_FOLDER = 20

KINDS = ("Project", "Vendor", "Person", "Office", "Contract")
FOLDERS = ("projects", "vendors", "people", "offices", "contracts")
STATUSES = ("draft", "in review", "final", "on hold", "shipped")
OWNERS = ("Priya", "Tom", "Ana", "Bo", "Marta", "Ines")
FIELDS = {
    "phase": ("offer", "pilot", "in use", "to be replaced"),
    "price": ("1,200 EUR", "1,350 EUR", "990 EUR", "2,400 EUR"),
    "location": ("Hyderabad", "Porto", "Leeds", "Graz"),
    "reliability": ("good", "fair", "poor", "unknown"),
}
NAMES = tuple(FIELDS)
TAGS = ("ledger", "review", "audit", "travel", "hiring", "paper/archive", "paper/incoming")
WORDS = (
    "the ledger format was agreed with every office before the first count and nobody asked for a change since then "
    "although a few invoices came late from one vendor who moved to another town last year and sent the papers twice "
    "we keep both copies because the archive wants the older one while the desk works with the newer and calls it final"
).split()


def write(vault: Path, count: int) -> int:
    """Write ``count`` notes into a vault and give the bytes they have."""
    size = 0
    for path, text in notes(count):
        (vault / path).parent.mkdir(parents=True, exist_ok=True)
        size += (vault / path).write_bytes(text.encode())
    return size


def notes(count: int) -> Iterator[tuple[str, str]]:
    """Give the path and the text of each note."""
    for number in range(count):
        yield path_of(number), text_of(number, count)


def path_of(number: int) -> str:
    """Give the path of a note: its kind, a folder of twenty, its name."""
    return f"{FOLDERS[number % len(KINDS)]}/{number // (A_FOLDER * len(KINDS)):03}/{name_of(number)}.md"


def name_of(number: int) -> str:
    """Give the name of a note, which is its title too."""
    return f"{KINDS[number % len(KINDS)]} {number:05}"


def text_of(number: int, count: int, version: int = 0) -> str:
    """Write a note of a vault; each version says the same but for its values."""
    chance = Random(SEED * 100_003 + number)
    field, value = field_of(number, version)
    others = [name_of(int(chance.random() * count)) for _ in range(2)]
    return (
        f"---\n{_frontmatter(chance, number, version)}---\n# {name_of(number)}\n\n"
        f"{_prose(chance, 65)} See [[{others[0]}]] first. #{TAGS[int(chance.random() * len(TAGS))]}\n\n"
        f"## State\n\n- {field}:: {value}\n- {_prose(chance, 12)}\n"
        f"- {_prose(chance, 9)}\n\n{_prose(chance, 55)}\n\n"
        f"## History\n\n{_prose(chance, 45)} Then came [[{others[1]}|another]], and **{_prose(chance, 3)}**.\n"
    )


def field_of(number: int, version: int = 0) -> tuple[str, str]:
    """Give the inline field of a note and its value, another one in each version."""
    field = NAMES[number % len(NAMES)]
    return field, FIELDS[field][(number + version) % len(FIELDS[field])]


def _frontmatter(chance: Random, number: int, version: int) -> str:
    tags = sorted({TAGS[int(chance.random() * len(TAGS))] for _ in range(2)})
    status = STATUSES[(number + version // 2) % len(STATUSES)]
    lines = [f"status: {status}", f"owner: {OWNERS[int(chance.random() * len(OWNERS))]}", f"tags: [{', '.join(tags)}]"]
    if chance.random() < 0.5:
        lines.append(f"created: {FIRST_DAY + timedelta(days=int(chance.random() * 1800))}")
    if chance.random() < 0.3:
        lines.append(f"aliases: [{name_of(number)[0]}{number}]")
    if chance.random() < 0.2:
        lines.append(f"description: {_prose(chance, 8)}")
    return "".join(f"{line}\n" for line in lines)


def _prose(chance: Random, words: int) -> str:
    chosen = [WORDS[int(chance.random() * len(WORDS))] for _ in range(words)]
    return " ".join(chosen)


if __name__ == "__main__":
    print(write(Path(sys.argv[1]), int(sys.argv[2])), "bytes")
