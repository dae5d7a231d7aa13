"""What a write tells and leaves: words for its effects, the lines of today, what is believed."""

from __future__ import annotations

from typing import Any

from loreweave.engine.outcome import Effect, Interval, Outcome
from loreweave.library import Lore
from loreweave.times import from_datetime, show_day

NOW = "2025-03-05T14:00:00Z"
TODAY = "lore/journal/2025-03-05.md"
GOOD = "- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, recorded_at=2024-01-10T09:00:00Z}\n"
BOB = "- [fact] Desk :: keeper :: Bob {valid_from=2024-01-01, recorded_at=2024-01-10}\n"


def write(lore: Lore, text: str, path: str = "lore/journal/2024-01-10.md") -> None:
    file = lore.engine.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def journal(lore: Lore) -> list[str]:
    file = lore.engine.root / TODAY
    return file.read_text("utf-8").splitlines() if file.exists() else []


def shown(held: tuple[Interval, ...]) -> str:
    def day(moment: Any) -> str:
        return "now" if moment is None else show_day(from_datetime(moment))

    return ", ".join(f"{day(span.valid_from)} → {day(span.valid_until)}" for span in held)


def told(made: Outcome) -> dict[str, list[str]]:
    """The effects of a write, as words: value, then where it was lost or gained."""

    def of(name: str, effect: Effect) -> str:
        return f"{effect.object}: {shown(effect.gained if name in ('returned', 'resumed') else effect.lost)}"

    return {name: [of(name, effect) for effect in found] for name, found in made.effects.items() if found}


def believed(lore: Lore, subject: str, predicate: str, **moment: str) -> list[str]:
    return [fact.object for fact in lore.facts(subject=subject, predicate=predicate, **moment)]  # type: ignore[arg-type]
