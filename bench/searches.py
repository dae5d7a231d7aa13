"""Search: in a process that holds the index open, by command, and how much smaller an answer is than its notes.

Two ladders. The notes of ``notes.py`` have few words, each in two of three passages, so that no question is a light
one; theirs are of four kinds in turn: a note by its name with two words more, four words, a value of a note, and an
owner and a tag in a month. The notes of ``wide.py`` have the words that people have, and are asked for as they ask.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import fmean, median

import notes
import own_set
import processes
import wide
from figures import Figure
from replays import short

BARS = {1_000: (7.0, 10.0), 5_000: (12.0, 25.0), 20_000: (25.0, 60.0)}
THREE = {20_000: (50.0, 100.0)}
ASKED = 200
COMMAND_NOTES, COMMAND = 3_000, 0.45
SMALLER = 2.0
ANSWERS = 40
FEW, WIDE = "few words", "words as people have"
KINDS: dict[str, Callable[[Path, int], object]] = {FEW: notes.write, WIDE: wide.write}
WORDINGS = {1: "one wording", 3: "three wordings"}
MONTHS = ("January", "March", "May", "July", "October", "December")
WORDS = tuple(dict.fromkeys(word for word in notes.WORDS if len(word) > 4))


def measure(work: Path, sizes: list[int], data: Path | None) -> Iterator[Figure]:
    """Measure vaults of each size, one of 3,000 notes by command, and answers over public vaults where at hand."""
    for kind, write in KINDS.items():
        for size in sizes:
            vault = _indexed(work / f"{kind}-{size}", write, size)
            yield from _points(vault, kind, size, 1)
            yield from _points(vault, kind, size, 3)
    vault = _indexed(work / "command", wide.write, COMMAND_NOTES)
    wordings = iter([wordings_of(WIDE, number, COMMAND_NOTES, 3) for number in range(99)])
    run = processes.times(9, lambda: processes.lore(vault, "search", *next(wordings)))
    yield Figure("lore search, three wordings, whole process", "3k", run.seconds, "s", COMMAND, run.processor)
    ratio = fmean(smaller(vault, wordings_of(WIDE, number, COMMAND_NOTES)) for number in range(ANSWERS))
    yield Figure("whole notes / an answer of five as JSON", "3k", ratio, "x smaller", SMALLER)
    if data and (data / "vaults").is_dir():
        ratios = list(_of_public(data / "vaults"))
        for name, of in (("mean", fmean), ("median", median)):
            work_ = f"whole notes / an answer of five as JSON, public vaults, {name}"
            yield Figure(work_, str(len(ratios)), of(ratios), "x smaller", SMALLER)


def _of_public(vaults: Path) -> Iterator[float]:
    for vault in own_set.public(vaults).vaults():
        with tempfile.TemporaryDirectory(prefix="lore-bench-") as folder:
            vault.put(Path(folder))
            yield from (smaller(Path(folder), question.wordings) for question in vault.questions)


def wordings_of(kind: str, number: int, size: int, count: int = 1) -> tuple[str, ...]:
    """Give the wordings of a question."""
    if kind == WIDE:
        return tuple([wide.wording_of(number * count + at, size) for at in range(count)])
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


def _indexed(vault: Path, write: Callable[[Path, int], object], size: int) -> Path:
    write(vault, size)
    processes.lore(vault, "--quiet", "index")
    return vault


def _points(vault: Path, kind: str, size: int, wordings: int) -> Iterator[Figure]:
    count = ASKED // wordings
    told = processes.inside("search", vault, count, kind, str(size), str(wordings))
    bars = (BARS if wordings == 1 else THREE).get(size, (None, None))
    for share, bar in zip((50, 95), bars, strict=True):
        wall, busy = (1000 * sorted(column)[count * share // 100] for column in zip(*told, strict=True))
        name = f"search, {kind}, {WORDINGS[wordings]}, p{share}"
        yield Figure(name, short(size), wall, "ms", bar, busy)
