"""A small vault in which everything happens: what a digest must be the same for, however it is come by."""

from __future__ import annotations

from pathlib import Path
from random import Random

Files = dict[str, list[str]]
"""The lines of each file of a record, by path."""

SLOTS = ("Vendor :: reliability", "Atlas :: owner", "Ledger Format :: status", "Straße :: keeper", "İzmir :: member")
VALUES = ("good", "GOOD", "Priya", "déjà vu", 'a "quoted" one', "C++ :: C#")
DAYS = [f"2024-{month:02}-{day:02}" for month in (1, 2, 3) for day in (4, 11, 18)]


def small_vault(seed: int = 1, a_day: int = 6) -> Files:
    """Write journal and ledger lines of every kind: hand-written, late, tied, repeated and broken ones too."""
    chance = Random(seed)
    files: Files = {}
    for day in DAYS:
        files[f"lore/journal/{day}.md"] = [_stated(chance, day) for _ in range(a_day)]
        files[f"lore/ledger/{day}-0001.md"] = [_seen(chance, day) for _ in range(a_day // 2)]
    files["lore/journal/2024-03-18.md"] += files["lore/journal/2024-01-04.md"][:2]
    return files


def write(vault: Path, files: Files) -> Path:
    """Write the files of a record into a folder, in the order given."""
    for path, lines in files.items():
        (vault / path).parent.mkdir(parents=True, exist_ok=True)
        (vault / path).write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")
    return vault


def _stated(chance: Random, day: str) -> str:
    slot, value, start = chance.choice(SLOTS), chance.choice(VALUES), _date(chance)
    recorded = f"recorded_at={day}T{chance.randrange(8, 12):02}:00:00{chance.choice(('Z', '+02:00'))}"
    scope = chance.choice(("", "", ", scope=audit"))
    many = ", many" if "member" in slot else ""
    return chance.choice(
        (
            f"- [fact] {slot} :: {value} {{valid_from={start}, {recorded}{scope}{many}}}",
            f"- [fact] {slot} :: {value} {{{recorded}, source=inferred, confidence=0.7{scope}{many}}}",
            f"- [fact] {slot} :: {value} {{valid_from={start}, valid_until=2024-04-01, {recorded}{scope}{many}}}",
            f"- [fact] {slot} :: {value} {{valid_from={start}}}",
            f"- [invalidate] {slot} {{valid_until={start}, {recorded}{scope}}}",
            f"- [retract] {slot} :: {value} {{{recorded}{scope}}}",
            f"- [fact] {slot} :: {value} {{valid_from=2024-02-30}}",
        )
    )


def _seen(chance: Random, day: str) -> str:
    slot, value = chance.choice(SLOTS), chance.choice(VALUES)
    note = f"note=notes/{chance.choice('ab')}.md, recorded_at={day}T07:00:00Z"
    many = ", many" if "member" in slot else ""
    if chance.random() < 0.25:
        return f"- [withdrawn] {slot} {{{note}}}"
    return f"- [observed] {slot} :: {value} {{valid_from={_date(chance)}, {note}{many}}}"


def _date(chance: Random) -> str:
    return f"{chance.choice((2023, 2024))}-{chance.randrange(1, 4):02}-{chance.choice((1, 15)):02}"
