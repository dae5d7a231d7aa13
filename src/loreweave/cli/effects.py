"""What a line did to its slot, or would do, put into words on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from loreweave.cli.phrases import day, interval
from loreweave.cli.screen import brief, unpadded
from loreweave.reports.codec import plain

if TYPE_CHECKING:
    from loreweave.cli.console import Console
    from loreweave.engine.outcome import Effect, Interval, Outcome

_DID = {
    "superseded": "superseded",
    "corrected": "corrected",
    "continued": "continues",
    "overridden": "overrides",
    "masked": "masks",
    "returned": "came back",
    "resumed": "resumes",
}
"""What is said below the first line, in this order, and how."""

_WOULD = {
    "superseded": "would supersede",
    "corrected": "would correct",
    "continued": "would continue",
    "overridden": "would override",
    "masked": "would mask",
    "ended": "would end",
    "retracted": "would unsay",
    "returned": "would bring back",
}


def flat(made: Outcome) -> dict[str, Any]:
    """Give what came of a write as programs get it: each effect beside the rest."""
    told: dict[str, Any] = plain(made)
    effects = told.pop("effects")
    return {**told, **effects}


def value_of(made: Outcome) -> str:
    """Name what a line says, as it is written."""
    return " :: ".join(unpadded(part) for part in (made.subject, made.predicate, made.object) if part is not None)


def say_outcome(console: Console, made: Outcome, *, with_lines: bool = False) -> None:
    """Print what was written, or would be, what that did, and where it stands; the lines too if they are asked for."""
    head = {"invalidate": _closed, "retract": _unsaid}.get(made.kind, value_of)(made)
    console.say(f"would write: {head}" if made.dry_run else f"✓ {head}")
    if made.many_because:
        console.say(f"  many: {made.many_because}")
    if any(held.valid_until for held in made.holds):
        console.say(f"  holds: {intervals(made.holds)}")
    for name, word in _DID.items():
        for effect in made.effects[name]:
            console.say(f"  {word}: {_told(name, effect)}")
    if made.effects["retracted"] and not made.effects["returned"]:
        console.say("  nothing comes back")
    for text in made.lines if made.dry_run or with_lines else ():
        console.say(f"  line: {text}")
    console.say(f"  journal: {made.path}:{made.line_number}" + (" (nothing was written)" if made.dry_run else ""))


def would(effects: Mapping[str, tuple[Effect, ...]], *, whole: bool = True) -> Iterator[str]:
    """Give, a line each, what would be done to the other values of a slot; unless ``whole``, long ones are cut."""
    for name, word in _WOULD.items():
        for effect in effects[name]:
            said = _told("superseded" if name == "ended" else name, effect, now="", whole=whole)
            yield f"{word}: {said}, {effect.source}"


def intervals(held: Iterable[Interval]) -> str:
    """Show intervals side by side."""
    return ", ".join(interval(span.valid_from, span.valid_until) for span in held)


def _closed(made: Outcome) -> str:
    ended = made.effects["ended"]
    at = min((effect.lost[0].valid_from for effect in ended), default=made.recorded_at)
    verb = "ended" if at <= made.recorded_at else "ends"
    values = ", ".join(f'"{unpadded(effect.object)}" (from {day(effect.before[0].valid_from)})' for effect in ended)
    head = f"{unpadded(made.subject)} :: {unpadded(made.predicate)}"
    return f"{head} {verb} {day(at)}: {values}" if values else f"{head} closed; no answer changes"


def _unsaid(made: Outcome) -> str:
    lost = made.effects["retracted"]
    values = ", ".join(f'"{unpadded(effect.object)}" ({intervals(effect.lost)})' for effect in lost)
    head = f"{unpadded(made.subject)} :: {unpadded(made.predicate)} retracted"
    return f"{head}: {values}" if values else f"{head}; no answer changes"


def _told(name: str, effect: Effect, *, now: str = "now ", whole: bool = True) -> str:
    """Tell what was done to one value."""
    value = f'"{brief(effect.object, whole=whole)}"' + (f" of {effect.note}" if effect.note else "")
    if name == "superseded":
        return f"{value} ({now}valid until {day(effect.lost[0].valid_from)})"
    if name == "continued":
        return f"{value} (from {day(effect.before[0].valid_from)})"
    marks = [intervals(effect.gained if name in ("returned", "resumed") else effect.lost)]
    if effect.confidence < 1 and not effect.note:
        marks.append(f"confidence {effect.confidence:g}")
    return f"{value} ({', '.join(marks)})"
