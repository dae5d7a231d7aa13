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
    exact, near, quoted = set(), set(), ground.prose(18)
    for number in range(12):
        said = ground.prose(40)
        paths = [f"copies/{number:02}{letter}.md" for letter in "abc"[: 3 if number % 4 == 0 else 2]]
        for place, path in enumerate(paths):
            ground.joined(path, f"# Copy {number} {place}", ground.prose(50), f"## Terms {place}\n\n{said}")
        exact.add(frozenset(paths))
    exact.add(frozenset(ground.note(f"brief/{side}.md", "# Brief", "[[Hub]]", quoted) for side in ("one", "two")))
    for number in range(24):
        said = ground.prose(60)
        paths = [f"drafts/{number:02}{letter}.md" for letter in "ab"]
        other = edited(ground.chance, said, 1 + number % 2 if number < 16 else 4)
        for path, text in zip(paths, (said, other), strict=True):
            ground.joined(path, f"# Draft {path[7:10]}", ground.prose(30), f"## Text\n\n{text}")
        if number < 16:
            near.add(frozenset(paths))
    _forms(ground)
    return exact, near


def _forms(ground: _Ground) -> None:
    """Make notes with much in common that is no copy to tidy up."""
    form, week, record = ground.prose(40), ground.prose(40), ground.prose(40)
    for number in range(7):
        ground.joined(f"forms/form {number}.md", ground.prose(30), f"## Terms\n\n{form}")
    box = ground.prose(60)
    for number in range(4):
        ground.joined(f"boxes/box of {'abcd'[number]}.md", ground.prose(30), f"## Box\n\n{box}")
        ground.joined(f"weeks/2026-W{number + 10}.md", ground.prose(30), f"## Plan\n\n{week}")
    for path in ("tests/page.approved.md", "Templates/page.md", "pages/page.md", "CHANGELOG.md", "pages/changelog.md"):
        ground.joined(path, ground.prose(30), f"## Record\n\n{record}")
    listed = " ".join(f"[[p{number:03}|{ground.prose(3)}]]" for number in range(10))
    copied, work, turn, longer = (ground.prose(count) for count in (40, 40, 25, 30))
    marks = [("<!-- include: x.md -->", "<!-- endInclude -->"), ("<!-- ROW:START - by hand no -->", "<!-- ROW:END -->")]
    for side, (begin, end) in zip(("one", "two"), marks, strict=True):
        ground.joined(f"lists/{side}.md", ground.word(), f"## List\n\n{listed}")
        ground.joined(f"made/{side}.md", ground.prose(30), begin, f"## Made\n\n{copied}", end, f"## By hand {side}")
        ground.joined(f"works/{side}.md", ground.prose(30), f"## 3. References\n\n{work}")
        ground.joined(f"turns/{side}.md", ground.prose(90), f"## Turn\n\n{turn}")
        nearly = edited(ground.chance, longer, int(side == "two"))
        ground.joined(f"turned/{side}.md", ground.prose(90), f"## Turned\n\n{nearly}")


def _disagreements(ground: _Ground) -> set[tuple[str, str]]:
    found = set()
    for number in range(5):
        for desk, learned in (("Desk", "2026-05-01"), ("Settled desk", "2024-03-01")):
            ground.fact(
                "2024-02-01", f"{desk} {number} :: keeper :: Priya {{valid_from=2024-01-01, valid_until=2025-01-01}}"
            )
            ground.fact(learned, f"{desk} {number} :: keeper :: Tom {{valid_from=2024-04-01, valid_until=2024-07-01}}")
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
        ground.joined(f"tools/Tool {number}.md", f"since:: 0.{number}", "# Usage")
        ground.joined(f"calls/call {number}.md", f"- [fact] Route {number} :: pilot :: Ana {{valid_from=2024-01-10}}")
        ground.fact("2026-05-02", f"Route {number} :: pilot :: Bo {{valid_from=2025-01-01}}")
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
    for line in ("Ledger :: status :: final", "Ledger :: due :: 2025-02-28", "Ledger :: signed off :: yes"):
        ground.fact("2025-01-01", f"{line} {{valid_from=2025-01-01}}")
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
    _kinds(ground)
    _sides(ground)
    every = [f"[[Survey {number:02} of Kestrel]] [[Mill {number:02} of Osprey]]" for number in range(10)]
    ground.joined("talks/everything.md", *every, *(f"[[Thing {number} of many]]" for number in range(60)))
    return found


def _kinds(ground: _Ground) -> None:
    """Make pairs of notes that are of one kind, or of one series, and speak of nothing together."""
    for number in range(4):
        quay, lock = f"Quay {number:02} of Heron", f"Lock {number:02} of Tern"
        for side in ("one", "two"):
            ground.joined(f"tagged/{number:02} {side}.md", ground.prose(20), f"#quay{number} #lock{number}")
            front = f'---\nplaces:\n  - "[[{quay}]]"\nkind: "[[{lock}]]"\n---'
            ground.joined(f"filed/{number:02} {side}.md", front, ground.prose(20))
            field = f"sort:: [[Dock {number:02} of Wren]]\nspot:: [[Pier {number:02} of Gull]]"
            ground.joined(f"fields/{number:02} {side}.md", field, ground.prose(20))
            ground.note(
                f"headed/{number:02} {side}.md", f"## Harbour {number:02}", "[[Hub]]", f"## Tide {number:02}", "[[Hub]]"
            )
            ground.joined(f"named/{number:02} {side}.md", f"We write of Write{number} and of Read{number}.")
            ground.joined(
                f"days/2026-01-{number:02}{side == 'one':d}.md", f"[[Mast {number:02}]] and [[Sail {number:02}]]"
            )
        for name in (f"Harbour {number:02}", f"Tide {number:02}", f"Write{number}", f"Read{number}"):
            ground.joined(f"things/{name}.md", ground.prose(20))


def _sides(ground: _Ground) -> None:
    """Make notes that have much in common with another, and are no side of a missing link for what they are."""
    for number in range(6):
        ground.joined(f"guide/Step {number} of mooring.md", ground.prose(20))
        ground.joined(f"sea.{number} of sailing.md", ground.prose(20))
    steps, legs = ([f"[[{name.format(n)}]]" for n in range(4)] for name in ("Step {} of mooring", "sea.{} of sailing"))
    ground.joined("guide/All.md", *steps)
    ground.joined("sea.md", *legs)
    ground.joined("told/steps.md", ground.prose(20), *steps[:2])
    ground.joined("told/legs.md", ground.prose(20), *legs[:2])
    both = "[[Cask of the Lark]] and [[Barrel of the Finch]]"
    ground.joined("diary/2026-05-05.md", both)
    ground.joined("diary/of casks.md", ground.prose(20), both)
    sides = (
        f"kind:: [[Hub]]\ndescription:: What is said of {both.replace('the', 'a')} here, at the `quay`.",
        f"#+BEGIN_QUERY\n{{:query {both.replace('the', 'no')}}}\n#+END_QUERY",
        f"- {{{{query (or {both.replace('the', 'each')})}}}}",
    )
    for number, text in enumerate(sides):
        for side in ("one", "two"):
            ground.note(f"asked/{number} {side}.md", f"{text}\n{ground.prose(20)}", "[[Hub]]")


def _orphans(ground: _Ground) -> set[str]:
    found = {ground.note(f"alone/alone {number}.md", ground.prose(25 + number)) for number in range(7)}
    found.add(ground.note("alone/itself.md", "# Itself", ground.prose(25), "[[itself]] and [[nothing there]]."))
    for number in range(4):
        ground.note(f"alone/2026-03-0{number}.md", ground.prose(30))
        ground.note(f"alone/round 2026-04-0{number}.md", ground.prose(30))
        ground.note(f"alone/stub {number}.md", ground.word())
        ground.note(f"alone/code {number}.md", f"```\n{ground.prose(30)}\n\n## {ground.prose(30)}\n```")
        ground.note(f"tree/branch.leaf{number}.md", ground.prose(30))
        ground.note(f"fixtures/case {number}.md", ground.prose(30))
    ground.note("solo/2019-05-05.md", ground.prose(30))
    ground.joined("tree/branch.md", "What grows here.")
    for path in ("README.md", "docs/CODE_OF_CONDUCT.md", "LICENSE.md", "Templates/plain.md"):
        ground.note(path, ground.prose(30))
    for folder in ("north", "south"):
        ground.note(f"{folder}/Yard.md", f"# Yard {folder}", ground.prose(25))
    found.add("south/Yard.md")
    ground.joined("north/way.md", "To the [[Yard]].")
    ground.note("other/Named otherwise.md", "---\naliases: [Quay]\n---", ground.prose(20))
    ground.joined("other/to it.md", "At the [[Quay]].")
    for number in range(6):
        make = ground.joined if number < 2 else ground.note
        make(f"imported/log {number}.md", ground.prose(30), ground.prose(9))
        ground.joined(f"diary/2026-06-0{number}.md", "[[log 2]]")
    found.add("imported/")
    found |= {ground.note(f"few/log of {number}.md", ground.prose(30)) for number in "abc"}
    ground.joined("other/tagged.md", "#quayside by @priya.osei")
    for name in ("tags.quayside", "user.priya.osei"):
        ground.note(f"{name}.md", ground.prose(30))
    return found


def scored(found: Iterable[object], truth: Iterable[object]) -> tuple[float, float]:
    """Give precision and recall of what was found."""
    got, wanted = set(found), set(truth)
    hits = len(got & wanted)
    return hits / len(got) if got else 1.0, hits / len(wanted) if wanted else 1.0
