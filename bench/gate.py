"""The gate: small sets kept here, scored as the product answers today, held against figures kept from before.

``python bench/gate.py`` prints what fell; ``python bench/gate.py --renew`` keeps today's figures. Renew only where a
fall is meant, and say in the commit why it is.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping

import arms
import own_set
import retrieval
import scifact

KEPT = own_set.HERE / "baseline.json"
ALLOWED = 0.02
RENEW = "python bench/gate.py --renew"

Told = Mapping[str, Mapping[str, float]]
"""Of each set and group, its figures by name."""


def score() -> dict[str, dict[str, float]]:
    """Score the small sets as the product answers today."""
    told: dict[str, dict[str, float]] = {}
    for trial in (own_set.trial(), scifact.trial(own_set.HERE / "scifact")):
        for group, figures in retrieval.figures(trial, retrieval.run(trial, [arms.ARMS["lore"]])).items():
            rounded = {name: round(value, 4) for name, value in figures.items()}
            told[f"{trial.set}, {group.removeprefix('lore: ')}"] = rounded
    return told


def falls(before: Told, after: Told) -> Iterator[str]:
    """Say of each figure that fell too far, or is not what was kept, what it was and what it is."""
    for group in sorted({*before, *after}):
        old, new = before.get(group, {}), after.get(group, {})
        for figure in sorted({*old, *new}):
            was, now = old.get(figure), new.get(figure)
            if was is None or now is None:
                yield f"{group}: {figure} was {_told(was)} and is {_told(now)}; if that is meant, run: {RENEW}"
            elif figure == "questions" and was != now:
                yield f"{group}: there were {was:g} questions and are {now:g}; if that is meant, run: {RENEW}"
            elif now < was - ALLOWED:
                fell = f"{figure} fell from {was:.3f} to {now:.3f}, more than {ALLOWED}"
                yield f"{group}: {fell}; if that is meant, say why in the commit and run: {RENEW}"


def _told(figure: float | None) -> str:
    return "not measured" if figure is None else f"{figure:g}"


def kept() -> dict[str, dict[str, float]]:
    """Read the figures that were kept."""
    read: dict[str, dict[str, float]] = json.loads(KEPT.read_text("utf-8"))
    return read


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--renew", action="store_true", help="keep today's figures")
    today = score()
    if parser.parse_args().renew:
        KEPT.write_text(json.dumps(today, indent=2) + "\n", "utf-8", newline="\n")
        print(f"kept in {KEPT}")
        return
    found = list(falls(kept(), today))
    print("\n".join(found) or "nothing fell")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
