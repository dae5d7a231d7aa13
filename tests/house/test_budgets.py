"""No file, function, view or grammar outgrows its reader."""

from __future__ import annotations

import ast
import re

import pytest

from house import budgets
from house.tree import PACKAGE, functions, module, python_files, relative

ATTICS = {"utils", "util", "helpers", "helper", "common", "base", "manager", "service", "misc"}


def test_no_file_is_longer_than_400_lines() -> None:
    assert [str(over) for over in budgets.files(budgets.FILE_LIMIT)] == []


def test_no_function_is_longer_than_40_lines() -> None:
    over = budgets.long_functions(budgets.FUNCTION_LIMIT, "src", "tests", "bench", "docs")
    assert [str(one) for one in over] == []


def test_no_function_takes_more_than_five_arguments() -> None:
    assert [str(over) for over in budgets.many_arguments()] == []


def test_no_view_is_longer_than_40_lines() -> None:
    assert [str(over) for over in budgets.long_views()] == []


def test_no_grammar_has_more_than_60_lines_of_rules() -> None:
    assert [str(over) for over in budgets.long_grammars()] == []


def test_no_module_is_an_attic() -> None:
    named = {relative(path) for path in python_files("src", "tests", "bench") if path.stem in ATTICS}
    attics = {relative(path) for path in python_files("src", "tests", "bench") if path.parent.name in ATTICS}
    assert named | attics == set()


def test_the_package_is_two_levels_deep() -> None:
    deep = [relative(path) for path in python_files("src") if len(path.relative_to(PACKAGE).parts) > 2]
    assert deep == []


def test_a_view_is_named_for_what_it_creates() -> None:
    creates = re.compile(r"^create (?:or replace )?(?:macro|view) (\w+)", re.IGNORECASE | re.MULTILINE)
    views = {path.stem: creates.findall(path.read_text("utf-8")) for path in (PACKAGE / "views").glob("*.sql")}
    assert {name: created for name, created in views.items() if set(created) != {name}} == {}


@pytest.mark.parametrize(
    ("source", "lines", "taken"),
    [
        ("def f(a, b):\n    return a", 2, 2),
        ("@once\ndef f(self, a, *, b):\n    '''Say.\n\n    More.\n    '''\n    return a", 2, 2),
        ("class C:\n    async def f(self):\n        pass", 2, 0),
    ],
)
def test_a_function_is_measured_without_its_docstring_decorators_and_self(
    source: str, lines: int, taken: int, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path_factory.mktemp("measured") / "a.py"
    path.write_text(source, "utf-8")
    monkeypatch.setattr("house.tree.ROOT", path.parent)
    (function,) = functions(path)
    assert (budgets.length(function), budgets.arguments(function, by_position_only=False)) == (lines, taken)


def test_every_module_tells_its_idea() -> None:
    silent = [relative(path) for path in python_files("src", "tests", "bench") if not ast.get_docstring(module(path))]
    assert silent == []
