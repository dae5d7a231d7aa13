"""How well passages are found: ``python bench/retrieval.py SET [--data DIR] [--arms …] [--detail FILE]``.

Writes each vault into a temporary folder, has it indexed as anybody's would be, asks every question by each arm, and
prints the figures as JSON; ``--detail`` keeps for each question the ranks of what was wanted and what came first.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import arms
import locomo
import longmemeval
import metrics
import own_set
import scifact
from loreweave.library import Lore
from metrics import Ranks
from trials import Figures, Place, Question, Trial, Vault

BY = {"R": metrics.recall, "Hit": metrics.hit, "MRR": metrics.reciprocal, "nDCG": metrics.gain}
SHOWN = 5
SETS = ("own", "scifact", "locomo", "longmemeval")


class Asked(NamedTuple):
    """A question that was asked: by which arm, where what was wanted stood, and what came first."""

    arm: str
    question: Question
    ranks: Ranks
    first: tuple[Place, ...]


def run(trial: Trial, by: list[arms.Arm]) -> list[Asked]:
    """Ask every question of a set by each arm."""
    asked: list[Asked] = []
    for vault in trial.vaults():
        with tempfile.TemporaryDirectory(prefix="lore-bench-") as folder:
            vault.put(Path(folder))
            with Lore(folder) as lore, lore.settled():
                for arm in by:
                    asked += _ask(trial, vault, arm, arm.open(lore))
    return asked


def _ask(trial: Trial, vault: Vault, arm: arms.Arm, ask: arms.Ask) -> Iterator[Asked]:
    for question in vault.questions:
        places = ask(question, trial.limit)
        found = metrics.distinct(vault.name(place) for place in places)
        yield Asked(arm.name, question, metrics.ranks(found, question.wanted), tuple(places[:SHOWN]))


def figures(trial: Trial, asked: list[Asked]) -> dict[str, dict[str, float]]:
    """Average what was asked by arm, over all questions, over each part and over each kind."""
    groups: dict[tuple[str, str], list[Ranks]] = {}
    for one in asked:
        for group in filter(None, ("all", one.question.part, trial.of_kinds and one.question.kind)):
            groups.setdefault((one.arm, str(group)), []).append(one.ranks)
    kinds = {one.question.kind for one in asked}
    ordered = sorted(groups, key=lambda pair: (pair[1] != "all", pair[1] in kinds, pair[1]))
    return {
        f"{arm}: {group}": _figures(trial.of_kinds if group in kinds else trial.told, groups[arm, group])
        for arm, group in ordered
    }


def _figures(told: Figures, of: list[Ranks]) -> dict[str, float]:
    return {"questions": len(of)} | {f"{name}@{depth}": metrics.mean(BY[name], depth, of) for name, depth in told}


def detail(asked: list[Asked]) -> Iterator[dict[str, object]]:
    """Tell of each question what came of it."""
    for one in asked:
        first = [f"{path}#{anchor}:{line}" for path, anchor, line in one.first]
        question = one.question
        yield {
            "arm": one.arm,
            "id": question.id,
            "part": question.part,
            "kind": question.kind,
            "wordings": question.wordings,
            "ranks": one.ranks,
            "first": first,
        }


def trials(name: str, data: Path | None, longmemeval_file: Path | None) -> Iterator[Trial]:
    """Give the sets of a name for which the data is at hand."""
    bench = data / "bench" if data else None
    if name == "own":
        yield own_set.trial()
        if data and (data / "vaults").is_dir():
            yield own_set.public(data / "vaults")
    elif name == "longmemeval" and longmemeval_file:
        yield from longmemeval.trials(longmemeval_file)
    elif name == "scifact" and bench and (bench / "scifact").is_dir():
        yield scifact.trial(bench / "scifact")
    elif name == "locomo" and bench and (bench / "locomo" / "locomo10.json").is_file():
        yield locomo.trial(bench / "locomo" / "locomo10.json")


def main() -> None:
    options = _options()
    told, kept = {}, []
    chosen = [arm for name, arm in arms.ARMS.items() if name in options.arms and not _left_out(arm)]
    for trial in trials(options.set, options.data, options.file):
        asked = run(trial, chosen)
        told[trial.set] = figures(trial, asked)
        kept += [{"set": trial.set, **row} for row in detail(asked)]
    print(json.dumps(told, indent=2))
    if options.detail:
        options.detail.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept), "utf-8")


def _left_out(arm: arms.Arm) -> bool:
    """Say so where an arm cannot answer."""
    if arm.missing:
        print(f"{arm.name} is left out: {', '.join(arm.missing)} is not installed", file=sys.stderr)
    return bool(arm.missing)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", choices=SETS)
    parser.add_argument("--data", type=Path, help="a folder with bench/ and vaults/")
    parser.add_argument("--file", type=Path, help="a LongMemEval file")
    parser.add_argument("--arms", nargs="+", choices=arms.ARMS, default=list(arms.ARMS), help="ways to answer")
    parser.add_argument("--detail", type=Path, help="where to keep what came of each question")
    return parser.parse_args()


if __name__ == "__main__":
    main()
