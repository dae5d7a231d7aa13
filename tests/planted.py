"""A vault of which is known what there is to tidy up: what a detector is to find is planted, and what it is to pass by.

Around it stand notes of random prose that link to each other in a ring, share their headings and a short footer, and
all speak of one hub. What is to be passed by is near to what is to be found: passages with less in common than makes a
copy, values that follow each other, beliefs written down lately of old times, notes that share one rare thing alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

NOW = "2026-06-30T00:00:00Z"
PROSE = 120
"""Notes of prose."""

_ONSETS, _VOWELS, _CODAS = "b d f g k l m n p r s t v z br st tr pl".split(), "a e i o u ai ou".split(), "nrlstm"


class Planted(NamedTuple):
    """The files of the vault, and what each detector is to find in it."""

    files: dict[str, str]
    exact: set[frozenset[str]]
    near: set[frozenset[str]]
    contradictions: set[tuple[str, str]]
    changes: set[tuple[str, str]]
    standing: set[tuple[str, str]]
    missing_links: set[frozenset[str]]
    orphans: set[str]


class _Ground:
    """A vault in the making."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.notes: dict[str, list[str]] = {}
        self.journal: dict[str, list[str]] = {}
        self.linked = 0
        for number in range(PROSE):
            self.note(f"prose/p{number:03}.md", self.prose(60), "## State", self.prose(45), "See the [[Hub]].")
            self.notes[f"prose/p{number:03}.md"].append(f"[[p{(number + 1) % PROSE:03}]]")
        self.note("Hub.md", "# Hub", self.prose(30))

    def prose(self, count: int) -> str:
        return " ".join(self.word() for _ in range(count))

    def word(self) -> str:
        pick = self.chance.choice
        return "".join(pick(_ONSETS) + pick(_VOWELS) for _ in range(2)) + pick(_CODAS)

    def note(self, path: str, *blocks: str) -> str:
        self.notes[path] = list(blocks)
        return path

    def joined(self, path: str, *blocks: str) -> str:
        """Make a note that links to a note of prose, a different one each time, and so is no orphan."""
        self.linked += 1
        return self.note(path, *blocks[:-1], f"[[p{self.linked % PROSE:03}]]", blocks[-1])

    def fact(self, day: str, line: str) -> None:
        self.journal.setdefault(day, []).append(f"- [fact] {line.replace('}', f', recorded_at={day}T09:00:00Z}}')}")

    def files(self) -> dict[str, str]:
        notes = {path: "\n\n".join([*blocks, "Kept by the desk."]) + "\n" for path, blocks in self.notes.items()}
        return notes | {f"lore/journal/{day}.md": "\n".join(lines) + "\n" for day, lines in self.journal.items()}


def planted(seed: int = 7) -> Planted:
    """Plant a vault."""
    ground = _Ground(seed)
    exact, near = _copies(ground)
    contradictions, changes = _disagreements(ground), _changes(ground)
    standing, missing, orphans = _standing(ground), _missing_links(ground), _orphans(ground)
    files = ground.files()
    return Planted(files, exact, near, contradictions, changes, standing, missing, orphans)


def edited(chance: Random, text: str, edits: int) -> str:
    """Put other words in the place of so many, evenly spread: each costs eight runs of words."""
    words = text.split()
    for edit in range(1, edits + 1):
        words[edit * len(words) // (edits + 1)] = f"anders{chance.randrange(1000):03}"
    return " ".join(words)


def _copies(ground: _Ground) -> tuple[set[frozenset[str]], set[frozenset[str]]]:
    exact, near = set(), set()
    for number in range(12):
        said = ground.prose(40)
        paths = [f"copies/{number:02}{letter}.md" for letter in "abc"[: 3 if number % 4 == 0 else 2]]
        for place, path in enumerate(paths):
            ground.joined(path, f"# Copy {number} {place}", ground.prose(50), f"## Terms {place}\n\n{said}")
        exact.add(frozenset(paths))
    for number in range(24):
        said = ground.prose(60)
        paths = [f"drafts/{number:02}{letter}.md" for letter in "ab"]
        other = edited(ground.chance, said, 1 + number % 2 if number < 16 else 4)
        for path, text in zip(paths, (said, other), strict=True):
            ground.joined(path, f"# Draft {path[7:10]}", ground.prose(30), f"## Text\n\n{text}")
        if number < 16:
            near.add(frozenset(paths))
    return exact, near


def _disagreements(ground: _Ground) -> set[tuple[str, str]]:
    found = set()
    for number in range(5):
        ground.fact("2024-02-01", f"Desk {number} :: keeper :: Priya {{valid_from=2024-01-01, valid_until=2025-01-01}}")
        ground.fact("2024-03-01", f"Desk {number} :: keeper :: Tom {{valid_from=2024-04-01, valid_until=2024-07-01}}")
        found.add((f"Desk {number}", "keeper"))
        ground.fact("2024-02-01", f"Calm {number} :: keeper :: Priya {{valid_from=2024-01-01}}")
        ground.fact("2024-03-01", f"Calm {number} :: keeper :: Tom {{valid_from=2024-04-01}}")
        ground.fact("2024-06-01", f"Lane {number} :: width :: 3 m {{valid_from=2024-01-01}}")
        ground.joined(f"lanes/Lane {number}.md", f"# Lane {number}", "width:: 4 m")
        found.add((f"Lane {number}", "width"))
    for number in range(4):
        for folder, value in (("east", "open"), ("west", "shut")):
            ground.joined(f"{folder}/Gate {number}.md", f"# Gate {number}", f"state:: {value}")
        found.add((f"Gate {number}", "state"))
        front = f"---\naliases: [The {number} House]\n---\n# Office {number}"
        ground.joined(f"offices/Office {number}.md", front, "floor:: first")
        ground.joined(f"visits/visit {number}.md", f"- [fact] The {number} House :: floor :: second")
        found.add((f"Office {number}", "floor"))
    for year in (2023, 2024):
        ground.joined(f"log/{year}-01-05.md", f"- [fact] Fleet :: ships :: {year - 2020} {{valid_from={year}-01-05}}")
    return found


def _changes(ground: _Ground) -> set[tuple[str, str]]:
    found = set()
    for number in range(4):
        for subject, learned in (("Plan", "2026-06-20"), ("Older plan", "2026-06-10")):
            ground.fact("2026-02-01", f"{subject} {number} :: status :: draft {{valid_from=2026-02-01}}")
            ground.fact(learned, f"{subject} {number} :: status :: final {{valid_from=2026-0{3 + number % 2}-01}}")
        ground.fact("2026-06-21", f"New plan {number} :: status :: draft {{valid_from=2026-06-21}}")
        ground.fact("2026-06-22", f"Plan {number} :: status :: final {{valid_from=2026-06-22}}")
        found.add((f"Plan {number}", "status"))
    return found


def _standing(ground: _Ground) -> set[tuple[str, str]]:
    found = set()
    for number in range(6):
        ground.fact(("2025-12-31", "2026-01-02")[number % 2], f"Rate {number} :: fee :: 2 % {{valid_from=2025-01-01}}")
        if number % 2 == 0:
            found.add((f"Rate {number}", "fee"))
        ground.fact("2026-06-01", f"Backdated {number} :: fee :: 2 % {{valid_from=2019-01-01}}")
        ground.fact("2025-01-01", f"Closed {number} :: fee :: 2 % {{valid_from=2025-01-01, valid_until=2025-06-01}}")
        ground.fact("2025-01-01", f"Restated {number} :: fee :: 2 % {{valid_from=2025-01-01}}")
        ground.fact("2026-05-01", f"Restated {number} :: fee :: 2 % {{valid_from=2026-05-01}}")
        ground.fact("2024-12-31", f"Old {number} :: fee :: 2 % {{valid_from=2024-12-31}}")
        found.add((f"Old {number}", "fee"))
    return found


def _missing_links(ground: _Ground) -> set[frozenset[str]]:
    found = set()
    for number in range(10):
        survey, mill = f"[[Survey {number:02} of Kestrel]]", f"[[Mill {number:02} of Osprey]]"
        paths = [f"talks/{number:02} {side}.md" for side in ("morning", "evening")]
        for path in paths:
            ground.joined(path, ground.prose(20), f"We spoke of {survey}, {mill} and the [[Hub]].")
        found.add(frozenset(paths))
        one = f"[[Weir {number:02} of Heron]]"
        for side in ("one", "two"):
            ground.joined(f"single/{number:02} {side}.md", ground.prose(20), f"Only {one} and the [[Hub]].")
        both = f"[[Tower {number:02} of Raven]] and [[Barn {number:02} of Swift]]"
        ground.joined(f"met/{number:02} one.md", f"{both}, as in [[{number:02} two]].")
        ground.joined(f"met/{number:02} two.md", f"{both}.")
    every = [f"[[Survey {number:02} of Kestrel]] [[Mill {number:02} of Osprey]]" for number in range(10)]
    ground.joined("talks/everything.md", *every, *(f"[[Thing {number} of many]]" for number in range(60)))
    return found


def _orphans(ground: _Ground) -> set[str]:
    found = {ground.note(f"alone/alone {number}.md", ground.prose(15 + number)) for number in range(7)}
    found.add(ground.note("alone/itself.md", "# Itself", "[[itself]] and [[nothing there]]."))
    for folder in ("north", "south"):
        ground.note(f"{folder}/Yard.md", f"# Yard {folder}", ground.prose(20))
    found.add("south/Yard.md")
    ground.joined("north/way.md", "To the [[Yard]].")
    ground.note("other/Named otherwise.md", "---\naliases: [Quay]\n---", ground.prose(20))
    ground.joined("other/to it.md", "At the [[Quay]].")
    return found


def scored(found: Iterable[object], truth: Iterable[object]) -> tuple[float, float]:
    """Give precision and recall of what was found."""
    got, wanted = set(found), set(truth)
    hits = len(got & wanted)
    return hits / len(got) if got else 1.0, hits / len(wanted) if wanted else 1.0
