"""LongMemEval: questions about chats of many sessions; any file in its documented format, given by path.

Each question has its own haystack and so a vault of its own: a session is a note, its day in the frontmatter, and a
message a heading with its role and the text below. Two figures: sessions, where the sessions that hold the answer are
wanted and notes are ranked, and turns, where the messages marked ``has_answer`` are. Questions that have no answer
(their id ends with ``_abs``) are left out, as are those without a marked message where turns are ranked. The day the
question was asked on is what words such as "last week" are read from.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from metrics import Keys, Wanted
from trials import Place, Question, Trial, Vault, by_path

SESSIONS = (("R", 5), ("R", 10), ("nDCG", 10), ("Hit", 5))
TURNS = (("R", 5), ("R", 10), ("Hit", 5))


def trials(path: Path) -> Iterator[Trial]:
    """Read a file, once for sessions and once for turns."""
    for of, told in (("sessions", SESSIONS), ("turns", TURNS)):
        yield Trial(f"LongMemEval {path.stem}, {of}", lambda of=of: _vaults(path, of), told, told[:1], 50)


def _vaults(path: Path, of: str) -> Iterator[Vault]:
    for item in json.loads(path.read_text("utf-8")):
        read = written(item)
        wanted = read.sessions if of == "sessions" else read.turns
        if wanted and not item["question_id"].endswith("_abs"):
            given = {"now": day(item["question_date"])} if item.get("question_date") else {}
            asked = Question(item["question_id"], "", item["question_type"], (item["question"],), wanted, given)
            name = by_path if of == "sessions" else partial(by_turn, read.starts)
            yield Vault(read.notes, (asked,), name)


class Haystack(NamedTuple):
    """Sessions written as notes, the lines at which their turns begin, and the sessions and turns that are wanted."""

    notes: dict[str, str]
    starts: dict[str, list[int]]
    sessions: tuple[Wanted, ...]
    turns: tuple[Wanted, ...]


def written(item: Mapping[str, Any]) -> Haystack:
    """Write the haystack of a question as notes."""
    notes, starts, turns = {}, {}, []
    haystack = zip(item["haystack_session_ids"], item["haystack_dates"], item["haystack_sessions"], strict=True)
    for name, date, session in haystack:
        path, lines = path_of(name), ["---", f"date: {day(date)}", "---"]
        starts[path] = []
        for turn in session:
            starts[path].append(len(lines) + 1)
            if turn.get("has_answer"):
                turns.append(frozenset({f"{path}:{len(lines) + 1}"}))
            lines += [f"## {turn['role']}", "", *turn["content"].splitlines(), ""]
        notes[path] = "\n".join(lines)
    sessions = [frozenset({path_of(name)}) for name in item["answer_session_ids"]]
    return Haystack(notes, starts, tuple(sessions), tuple(turns))


def by_turn(starts: Mapping[str, list[int]], place: Place) -> Keys:
    """Name a result by the turn it stands in, which may be cut into several passages."""
    path, _, line = place
    return (f"{path}:{starts[path][bisect_right(starts[path], line) - 1]}",)


def path_of(session: str) -> str:
    """Name the note of a session."""
    return f"{session}.md"


def day(text: str) -> str:
    """Read the day of a date such as ``2023/05/20 (Sat) 02:21``."""
    return text.split(" ", 1)[0].replace("/", "-")
