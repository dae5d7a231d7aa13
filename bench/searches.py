"""Search: in a process that holds the index open, by command, and how much smaller an answer is than its notes.

The questions are of four kinds in turn: a note by its name with two words more, four words, a value of a note, and an
owner and a tag in a month. In these vaults every word stands in most of the passages, so that no question is a light
one: a vault of people's own words is quicker.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import fmean

import notes
import processes
from figures import Figure
from replays import short

BARS = {1_000: (7.0, 10.0), 5_000: (12.0, 25.0), 20_000: (25.0, 60.0)}
THREE = {20_000: (50.0, 100.0)}
ASKED, ASKED_IN_THREE = 200, 60
COMMAND_NOTES, COMMAND = 3_000, 0.45
SMALLER = 2.0
ANSWERS = 40
MONTHS = ("January", "March", "May", "July", "October", "December")
WORDS = tuple(dict.fromkeys(word for word in notes.WORDS if len(word) > 4))


def measure(work: Path, sizes: list[int]) -> Iterator[Figure]:
    """Measure vaults of each size, and one of 3,000 notes by command."""
    for size in sizes:
        vault = _indexed(work, size)
        yield from _points(vault, "search", size, BARS, ASKED)
        yield from _points(vault, "search_in_three", size, THREE, ASKED_IN_THREE)
    vault = _indexed(work, COMMAND_NOTES)
    wordings = iter([wordings_of(number, COMMAND_NOTES, 3) for number in range(99)])
    run = processes.times(9, lambda: processes.lore(vault, "search", *next(wordings)))
    yield Figure("lore search, three wordings, whole process", "3k", run.seconds, "s", COMMAND, run.processor)
    ratio = fmean(smaller(vault, wordings_of(number, COMMAND_NOTES)) for number in range(ANSWERS))
    yield Figure("whole notes / an answer of five as JSON", "3k", ratio, "x smaller", SMALLER)


def wordings_of(number: int, size: int, count: int = 1) -> tuple[str, ...]:
    """Give the wordings of a question."""
    return tuple([_wording(Random(number * 31 + at), number + at, size) for at in range(count)])


def _wording(chance: Random, kind: int, size: int) -> str:
    name, words = notes.name_of(int(chance.random() * size)), chance.sample(WORDS, 4)
    return (
        f"{name} {words[0]} {words[1]}",
        " ".join(words),
        f"{chance.choice(notes.NAMES)} of {name}",
        f"{chance.choice(notes.OWNERS)} {chance.choice(notes.TAGS)} in {chance.choice(MONTHS)} 2021",
    )[kind % 4]


def smaller(vault: Path, wordings: tuple[str, ...]) -> float:
    """Give the bytes of the notes behind an answer of five for each byte of the answer."""
    command = processes.command(vault, "search", "--json", "--limit", "5", *wordings)
    told = subprocess.run(command, env=processes.environment(), capture_output=True, check=True).stdout
    found = {result["path"] for result in json.loads(told)["results"]}
    return sum((vault / path).stat().st_size for path in found) / len(told)


def _indexed(work: Path, size: int) -> Path:
    vault = work / f"search-{size}"
    notes.write(vault, size)
    processes.lore(vault, "--quiet", "index")
    return vault


def _points(vault: Path, name: str, size: int, bars: dict[int, tuple[float, float]], count: int) -> Iterator[Figure]:
    walls, busy = zip(*processes.inside(name, vault, count), strict=True)
    wordings = "one wording" if name == "search" else "three wordings"
    for share, at, bar in zip((50, 95), (count // 2, count * 95 // 100), bars.get(size, (None, None)), strict=True):
        wall, processor = (1000 * sorted(column)[at] for column in (walls, busy))
        yield Figure(f"search, {wordings}, p{share}", short(size), wall, "ms", bar, processor)
