"""The shelf of specs is complete: each is listed, and each finding the engine can make is shown to a reader."""

from __future__ import annotations

import ast
import re

from house.tree import ROOT, module, python_files, relative

SPECS = sorted(path for path in (ROOT / "specs").glob("*.md") if path.name != "README.md")
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
    shown = codes_shown()
    assert {code: place for code, place in codes_made().items() if code not in shown} == {}


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
    """Find the codes in the code: the text given first, or as `code`, to `Finding` and to what makes one."""
    made: dict[str, str] = {}
    for path in python_files("src"):
        for node in ast.walk(module(path)):
            if isinstance(node, ast.Call) and "finding" in ast.unparse(node.func).lower():
                given = [*node.args[:1], *(keyword.value for keyword in node.keywords if keyword.arg == "code")]
                for value in given:
                    if (
                        isinstance(value, ast.Constant)
                        and isinstance(value.value, str)
                        and KEBAB.fullmatch(value.value)
                    ):
                        made.setdefault(value.value, f"{relative(path)}:{node.lineno}")
    return made
