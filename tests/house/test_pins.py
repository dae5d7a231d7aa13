"""What is tested is what is pinned: exact versions by name, nothing by address."""

from __future__ import annotations

import re
import tomllib

from house.tree import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LINES = [
    line for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines() if line and not line.startswith("#")
]
PINS = [line.split("==")[0] for line in LINES]


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_line_pins_one_version() -> None:
    assert [line for line in LINES if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9A-Za-z.]*", line)] == []


def test_the_pins_are_sorted_and_named_once() -> None:
    names = [plain(pin) for pin in PINS]
    assert names == sorted(set(names))


def test_every_dependency_is_pinned() -> None:
    extras = [need for needs in PROJECT["optional-dependencies"].values() for need in needs]
    wanted = [*PROJECT["dependencies"], *extras, "hatchling", "editables"]
    names = {plain(re.split(r"[<>=\[ ]", need)[0]) for need in wanted} - {PROJECT["name"]}
    assert names - {plain(pin) for pin in PINS} == set()
