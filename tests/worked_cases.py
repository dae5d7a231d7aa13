"""The worked cases that stand beside the repository: histories with the right answers, as lines and questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs

from histories import JOURNALS, LEDGERS, Placed
from loreweave.events.model import DEFAULT_SCOPE, LEDGER_KINDS, Line
from loreweave.events.slots import key
from loreweave.times import Instant, read_instant
from oracle import Slot

UNDATED = "lore/journal/undated.md"
"""Gives no record time to a line that has none."""

SHELF = Path(__file__).parents[2] / "shared" / "cases" / "bitemporal.json"
ABSENT = f"the worked cases are not here: no {SHELF.name} in ../shared/cases"
_WORDS = {"assert": "fact", "observe": "observed", "withdraw": "withdrawn"}


@attrs.frozen
class Question:
    """What is believed in a slot at (as_of, as_known_at); None is as best known."""

    scope: str
    subject: str
    predicate: str
    as_of: str
    as_known_at: str | None
    expect: frozenset[str]

    @property
    def slot(self) -> Slot:
        return (key(self.scope), key(self.subject), key(self.predicate))

    @property
    def v(self) -> Instant:
        return read_instant(self.as_of)

    @property
    def k(self) -> float:
        return float("inf") if self.as_known_at is None else read_instant(self.as_known_at)


@attrs.frozen
class Case:
    name: str
    lines: list[Placed]
    questions: list[Question]

    @property
    def sound(self) -> list[Placed]:
        """The lines that are not quarantined."""
        return [placed for placed in self.lines if _sound(placed.line)]


def worked_cases() -> list[Case]:
    """Every case on the shelf; none where the shelf is absent."""
    if not SHELF.exists():
        return []
    return [_case(raw) for raw in json.loads(SHELF.read_text(encoding="utf-8"))["cases"]]


def _case(raw: dict[str, Any]) -> Case:
    lines = [_line(event, raw["multi"]) for event in raw["events"]]
    numbers = [event.get("pos", index) for index, event in enumerate(raw["events"])]
    files = [_file(line) for line in lines]
    placed = [Placed(line, path, number + 1) for line, path, number in zip(lines, files, numbers, strict=True)]
    return Case(raw["name"], placed, [_question(asked) for asked in raw["queries"]])


def _file(line: Line) -> str:
    if line.recorded_at is None:
        return UNDATED
    return LEDGERS[0] if line.kind in LEDGER_KINDS else JOURNALS[0]


def _line(event: dict[str, Any], multi: list[str]) -> Line:
    kind = _WORDS.get(event["op"], event["op"])
    return Line(
        kind,
        subject=event["subject"],
        predicate=event["predicate"],
        object=event["object"],
        scope=event["scope"],
        source=event["source"] if kind == "fact" else None,
        note=event.get("note"),
        many=event["predicate"] in multi and kind in ("fact", "observed"),
        **{name: event[name] and read_instant(event[name]) for name in ("valid_from", "valid_until", "recorded_at")},
    )


def _sound(line: Line) -> bool:
    start = line.recorded_at if line.valid_from is None else line.valid_from
    if line.recorded_at is None or not key(line.subject or "") or not key(line.predicate or ""):
        return False
    return line.kind not in ("fact", "observed") or line.valid_until is None or start < line.valid_until


def _question(asked: dict[str, Any]) -> Question:
    scope = asked.get("scope", DEFAULT_SCOPE)
    expect = frozenset(asked["expect"])
    return Question(scope, asked["subject"], asked["predicate"], asked["as_of"], asked["as_known_at"], expect)
