"""The shelf of specs is complete: each is listed, and each finding the engine can make is shown to a reader."""

from __future__ import annotations

import ast
import re

from house.tree import ROOT, module, python_files, relative

SPECS = sorted(path for path in (ROOT / "specs").glob("*.md") if path.name != "README.md")
BEYOND = {"case-twin", "unreadable-file", "unreadable-line"}
"""What no spec can hold: names that many disks take for one, a file that may not be read, and a line with a line end in
it, which only callers can pass."""
KEBAB = re.compile(r"[a-z]+(?:-[a-z]+)*")


def test_the_list_of_specs_is_complete() -> None:
    listed = re.findall(r"\]\(([\w-]+\.md)\)|`([\w-]+\.md)`", (ROOT / "specs" / "README.md").read_text("utf-8"))
    names = [first or second for first, second in listed]
    assert sorted(set(names)) == [path.name for path in SPECS]


def test_every_spec_is_named_for_its_promise() -> None:
    unfit = [path.name for path in SPECS if not KEBAB.fullmatch(path.stem)]
    untitled = [path.name for path in SPECS if not path.read_text("utf-8").startswith("# ")]
    assert (unfit, untitled) == ([], [])


def test_every_finding_code_has_a_spec_that_shows_it() -> None:
    shown = codes_shown() | BEYOND
    assert {code: place for code, place in codes_made().items() if code not in shown} == {}


def test_findings_that_no_spec_can_hold_are_shown_by_a_test() -> None:
    told = "".join(path.read_text("utf-8") for path in python_files("tests") if "house" not in path.parts)
    assert {code for code in BEYOND if f'"{code}"' not in told} == set()


def codes_shown() -> set[str]:
    """Read the second column of every `line | finding` table."""
    shown: set[str] = set()
    for path in SPECS:
        inside = False
        for line in path.read_text("utf-8").splitlines():
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
            inside = cells == ["line", "finding"] or (inside and len(cells) == 2)
            if inside:
                shown.add(cells[1])
    return shown


def codes_made() -> dict[str, str]:
    """Find the codes in modules that make findings: what `Finding` is given first, and every hyphened word."""
    made: dict[str, str] = {}
    for path in python_files("src"):
        tree = module(path)
        calls = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and ast.unparse(node.func).lower().endswith("finding")
        ]
        if calls:
            texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and _is_code(node.value, "-")]
            first = [given for call in calls for given in call.args[:1] if _is_code(getattr(given, "value", None))]
            made |= {node.value: f"{relative(path)}:{node.lineno}" for node in (*texts, *first)}
    return made


def _is_code(value: object, mark: str = "") -> bool:
    return isinstance(value, str) and mark in value and KEBAB.fullmatch(value) is not None
