"""LoCoMo: long conversations of two people over months, and questions with the turns that answer them.

A conversation is a vault, a session a note with its day in the frontmatter, a turn a heading with the name of who
speaks and the text below; the caption of a shared picture stands in brackets behind it. What is ranked are turns.

Every question that names at least one turn as evidence counts, those of the adversarial category too: 1,981 of them.
R@k is the share of a question's evidence turns that are in the first k results, averaged over the questions, so that
a question with three evidence turns reaches at most 1/3 at k = 1; Hit@k, told beside it, asks for any one of them.
Evidence that is written badly is split at ``;`` and blanks, and what names no turn is dropped.
The first five conversations may be looked at while constants are chosen, the last five are only reported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from metrics import Keys, Wanted
from trials import Place, Question, Trial, Vault

CATEGORIES = {1: "several turns", 2: "time", 3: "open", 4: "one turn", 5: "adversarial"}
FIGURES = (("R", 1), ("R", 5), ("R", 10), ("R", 20), ("Hit", 5))
FIRST = 5


def trial(path: Path) -> Trial:
    """Read the set from its one file."""
    return Trial("LoCoMo", lambda: _vaults(json.loads(path.read_text("utf-8"))), FIGURES, FIGURES[1:2])


def _vaults(conversations: list[dict[str, Any]]) -> Iterator[Vault]:
    for number, one in enumerate(conversations):
        notes, turns = written(one["conversation"])
        part = "first five" if number < FIRST else "last five"
        asked = [
            Question(f"{number}-{at}", part, CATEGORIES[qa["category"]], (qa["question"],), wanted)
            for at, qa in enumerate(one["qa"])
            if (wanted := evidence(qa["evidence"], turns))
        ]
        yield Vault(notes, tuple(asked), by_line)


def evidence(said: list[str], turns: Mapping[str, Wanted]) -> tuple[Wanted, ...]:
    """Read which turns are evidence, each once."""
    named = dict.fromkeys(part for text in said for part in re.split(r"[;\s]+", text))
    return tuple([turns[part] for part in named if part in turns])


def written(conversation: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, Wanted]]:
    """Write the sessions as notes, and say where each turn stands."""
    notes: dict[str, str] = {}
    turns: dict[str, Wanted] = {}
    for session in sorted((name for name, value in conversation.items() if isinstance(value, list)), key=_number):
        path = f"session-{_number(session):02}.md"
        lines = ["---", f"date: {_day(conversation[f'{session}_date_time'])}", "---"]
        for turn in conversation[session]:
            turns[turn["dia_id"]] = frozenset(by_line((path, "", len(lines) + 1)))
            lines += [f"## {turn['speaker']}", "", _said(turn), ""]
        notes[path] = "\n".join(lines)
    return notes, turns


def by_line(place: Place) -> Keys:
    """Name a result by the line it begins at."""
    path, _, line = place
    return (f"{path}:{line}",)


def _said(turn: Mapping[str, str]) -> str:
    shown = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return " ".join(f"{turn['text']}{shown}".split())


def _day(text: str) -> str:
    return datetime.strptime(text.partition(" on ")[2], "%d %B, %Y").date().isoformat()  # noqa: DTZ007 - a day


def _number(session: str) -> int:
    return int(session.split("_")[1])
