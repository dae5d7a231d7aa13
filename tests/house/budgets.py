"""The budgets: what one file, function, view or grammar may hold; above the aim a note, above the limit a failure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from house.tree import PACKAGE, Function, count_lines, functions, length, python_files, relative, tracked

FILE_AIM, FILE_LIMIT = 250, 400
FUNCTION_AIM, FUNCTION_LIMIT = 20, 40
ARGUMENTS = 5
VIEW_LIMIT = 40
GRAMMAR_LIMIT = 60
SURFACE = ("src/loreweave/cli/", "src/loreweave/library.py", "src/loreweave/reports/questions.py")
"""Where keyword options are what users write, and only what comes by position is counted."""


class Over(NamedTuple):
    where: str
    what: str
    size: int
    bound: int

    def __str__(self) -> str:
        return f"{self.where}: {self.what} of {self.size}, at most {self.bound}"


def files(bound: int) -> Iterator[Over]:
    for path in python_files("src", "tests", "bench", "docs"):
        size = count_lines(path)
        if size > bound:
            yield Over(relative(path), "lines", size, bound)


def long_functions(bound: int, *folders: str) -> Iterator[Over]:
    for path in python_files(*folders):
        for function in functions(path):
            size = length(function)
            if size > bound:
                yield Over(f"{relative(path)}:{function.lineno}", f"{function.name}(), lines", size, bound)


def many_arguments(bound: int = ARGUMENTS) -> Iterator[Over]:
    for path in python_files("src"):
        for function in functions(path):
            size = arguments(function, by_position_only=relative(path).startswith(SURFACE))
            if size > bound:
                yield Over(f"{relative(path)}:{function.lineno}", f"{function.name}(), arguments", size, bound)


def arguments(function: Function, *, by_position_only: bool) -> int:
    """Count arguments without self and cls; a command's parameters are its options, so they do not count."""
    if by_position_only and _is_command(function):
        return 0
    taken = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    by_position = [name for name in taken if name not in ("self", "cls")]
    return len(by_position) + (0 if by_position_only else len(function.args.kwonlyargs))


def _is_command(function: Function) -> bool:
    return any("command" in ast.unparse(decorator) for decorator in function.decorator_list)


def long_views() -> Iterator[Over]:
    for path in sorted((PACKAGE / "views").glob("*.sql")):
        if count_lines(path) > VIEW_LIMIT:
            yield Over(relative(path), "lines", count_lines(path), VIEW_LIMIT)


def long_grammars() -> Iterator[Over]:
    for path in tracked():
        if path.suffix == ".lark":
            lines = [
                line for line in path.read_text("utf-8").splitlines() if line.strip() and not line.startswith("//")
            ]
            if len(lines) > GRAMMAR_LIMIT:
                yield Over(relative(path), "lines of rules", len(lines), GRAMMAR_LIMIT)


def above_the_aim() -> list[Over]:
    """List what is within the limit and above the aim, largest first: the next thing to look at."""
    return sorted([*files(FILE_AIM), *long_functions(FUNCTION_AIM, "src")], key=lambda over: -over.size / over.bound)
