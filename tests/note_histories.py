"""Histories of a vault of notes: seeded edits of every kind, as a person, a syncer and a careless script make them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

NAMES = ("Atlas", "Vendor", "Ledger Format", "people/Priya", "people/Ana", "Überblick", "archive/Atlas")
KEYS = ("status", "owner", "members", "reliability", "due")
VALUES = ("draft", "final", "Draft", "Priya", "Ana", "[[Vendor]]", "2026-03-01", "on hold", "a :: b")
CONFIGS = (
    "",
    '[extract]\nmode = "all"\n',
    '[extract]\nmode = "off"\n',
    '[extract]\nignore_keys = ["owner"]\n',
    '[vault]\nignore = ["archive/"]\n',
    '[scopes]\n"people" = "staff"\n',
    '[facts]\nmany = ["owner"]\n',
)
CONFLICTED = " (conflicted copy 2026-01-12).md"
BROKEN = (b"---\na: [\n---\n\xff\xfe", b"\xff\xfes\x00:\x00", b"---\nstatus: a\nstatus: b\n---\n")
FRONT = ("date: 2026-01-15", "aliases: [The Plan]", "aliases: Vendor", "title: Atlas", "tags: [a, b]")
KINDS = (
    *("create", "edit", "edit", "edit", "line", "line", "rename", "delete", "touch", "touch all", "copy"),
    *("conflict copy", "config", "break", "journal", "ledger line", "index", "index", "index", "wipe"),
)
OF_NOTES = ("create", "edit", "edit", "line", "line", "rename", "delete", "copy", "conflict copy", "break")
"""Those that change notes and nothing else."""


def note(chance: Random) -> str:
    """Write a note: perhaps frontmatter, a title, fields in several forms, links, and things that only look so."""
    front = [f"{key}: {_value(chance)}" for key in chance.sample(KEYS, chance.randrange(4))]
    if chance.random() < 0.3:
        front.append("members: [Ana, Bo]")
    if chance.random() < 0.3:
        front.append(chance.choice(FRONT))
    head = ["---", *front, "---"] if front else []
    title = [f"# {chance.choice(NAMES)}"] if chance.random() < 0.4 else []
    return "\n".join([*head, *title, "", *(_line(chance) for _ in range(chance.randrange(6))), ""])


def _value(chance: Random) -> str:
    value = chance.choice(VALUES)
    return f'"{value}"' if value.startswith("[") or "::" in value else value


def _line(chance: Random) -> str:
    key, value = chance.choice(KEYS), chance.choice(VALUES)
    return chance.choice(
        (
            f"{key}:: {value}",
            f"- {key}:: {value}",
            f"- {key}:: {value} {{valid_from=2026-0{chance.randrange(1, 7)}-01}}",
            f"text with [{key}:: {value}] in it",
            f"- [{key}] {value} #tag",
            f"- [fact] {chance.choice(('Vendor', 'Atlas'))} :: {key} :: {value}",
            f"- [fact] Vendor :: {key} :: {value} {{valid_from=2025-01-01, valid_until=2026-01-01, source=stated}}",
            f"- **{key.title()}:** {value}",
            "- [invalidate] Vendor :: status",
            f"A link to [[{chance.choice(NAMES)}]] and [[The Plan]] and [[Nowhere#{value}]].",
            "## A heading\n\nand a paragraph ^block",
            "```\nstatus:: code\n```",
            "%% owner:: hidden %%",
            "#tag/nested prose",
        )
    )


class Edit(NamedTuple):
    """Where an edit is made: the vault, a note in it, a place for another, chance, and the number of the edit."""

    root: Path
    at: Path
    path: Path
    chance: Random
    number: int


def step(root: Path, chance: Random, number: int, kinds: Sequence[str] = KINDS) -> str:
    """Make one edit of these kinds; give what it was."""
    kind = chance.choice(kinds)
    notes = notes_in(root)
    path = root / f"{chance.choice(NAMES)}.md"
    if not notes:
        _write(path, note(chance))
    edit = Edit(root, chance.choice(notes) if notes else path, path, chance, number)
    if kind in EDITS:
        EDITS[kind](edit)
    return kind


def notes_in(root: Path) -> list[Path]:
    """List the notes, conflict copies among them."""
    return sorted(path for path in root.rglob("*.md") if path.relative_to(root).parts[0] != "lore")


def _move(edit: Edit) -> None:
    edit.path.parent.mkdir(parents=True, exist_ok=True)
    os.replace(edit.at, edit.path)


def _copy(edit: Edit) -> None:
    edit.path.parent.mkdir(parents=True, exist_ok=True)
    if edit.at != edit.path:
        shutil.copyfile(edit.at, edit.path)


def _touch_all(edit: Edit) -> None:
    for one in notes_in(edit.root):
        _touch(one, edit.number)


EDITS: dict[str, Callable[[Edit], object]] = {
    "create": lambda edit: _write(edit.path, note(edit.chance)),
    "edit": lambda edit: _write(edit.at, note(edit.chance)),
    "line": lambda edit: _append(edit.at, _line(edit.chance)),
    "rename": _move,
    "delete": lambda edit: edit.at.unlink(),
    "touch": lambda edit: _touch(edit.at, edit.number),
    "touch all": _touch_all,
    "copy": _copy,
    "conflict copy": lambda edit: _write(edit.at.with_name(edit.at.stem + CONFLICTED), note(edit.chance)),
    "config": lambda edit: _write(edit.root / "lore/config.toml", edit.chance.choice(CONFIGS)),
    "break": lambda edit: edit.at.write_bytes(edit.chance.choice(BROKEN)),
    "journal": lambda edit: _append(edit.root / "lore/journal/2026-06-01.md", _stated(edit.chance, edit.number)),
    "ledger line": lambda edit: _append(edit.root / "lore/ledger/2026-01-01-0001.md", _seen(edit.chance)),
    "wipe": lambda edit: shutil.rmtree(edit.root / ".lore", ignore_errors=True),
}
"""What each kind of edit does; ``index`` is for the caller to do."""


def _stated(chance: Random, number: int) -> str:
    slot = f"{chance.choice(('Vendor', 'Atlas', 'Ledger Format'))} :: {chance.choice(KEYS)}"
    when = f"recorded_at=2026-06-01T{number % 24:02}:00:00Z"
    return chance.choice(
        (
            f"- [fact] {slot} :: {chance.choice(VALUES)} {{valid_from=2026-01-01, {when}}}",
            f"- [invalidate] {slot} {{valid_until=2026-05-01, {when}}}",
            f"- [retract] {slot} {{{when}}}",
        )
    )


def _seen(chance: Random) -> str:
    fields = f"{chance.choice(('Vendor', 'Atlas'))} :: {chance.choice(KEYS)} :: {chance.choice(VALUES)}"
    return f"- [observed] {fields} {{note={chance.choice(NAMES)}.md, recorded_at=2026-01-01T08:00:00Z}}"


def _touch(path: Path, number: int) -> None:
    stamp = 1_700_000_000_000_000_000 + number * 1_000_000_000
    os.utime(path, ns=(stamp, stamp))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _append(path: Path, line: str) -> None:
    _write(path, f"{path.read_text('utf-8', 'replace') if path.exists() else ''}{line}\n")
