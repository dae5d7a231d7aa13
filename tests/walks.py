"""Walks through the history of a repository, and what they leave: the ledger, and what is believed."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from commit_histories import Fact, History, Told
from program import lore
from repositories import Repository

NOW = "2026-11-30T12:00:00Z"
ATLAS = "---\nstatus: {}\n---\n# Atlas\n"


def walk(vault: Path, exits: int = 0, now: str = NOW) -> dict[str, object]:
    told = lore(vault, "index", "--from-git", "--json", exits=exits, LORE_NOW=now)
    made: dict[str, object] = json.loads(told) if told else {}
    return made


def index(vault: Path, now: str = NOW) -> dict[str, object]:
    made: dict[str, object] = json.loads(lore(vault, "index", "--json", LORE_NOW=now))
    return made


def record(vault: Path) -> dict[str, str]:
    found = sorted((vault / "lore" / "ledger").glob("*.md"))
    return {path.name: path.read_text("utf-8") for path in found}


def lines(vault: Path, kind: str = "") -> list[str]:
    return [line for text in record(vault).values() for line in text.splitlines() if line.startswith(f"- [{kind}")]


def believed(vault: Path, at: str, known: str | None = None) -> set[Fact]:
    words = ("facts", "--as-of", at, "--as-known-at", known or at, "--limit", "9999", "--json")
    return {(f["subject"], f["predicate"], f["object"]) for f in json.loads(lore(vault, *words))["facts"]}


def edited(repository: Repository, count: int, seed: int = 1, folder: str = "") -> list[Told]:
    history = History(repository, Random(seed), folder)
    return [history.commit() for _ in range(count)]


def last_at(told: list[Told]) -> dict[str, Told]:
    """Of the commits within one second, the last is what was believed then, but for the microseconds."""
    return {commit.at: commit for commit in told}
