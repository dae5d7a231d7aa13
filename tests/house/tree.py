"""What the house tests look at: the files git knows or would take in, and Python read as a tree."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "loreweave"


@cache
def tracked() -> tuple[Path, ...]:
    """List the files of the repository, those not added yet too; none that are ignored."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    paths = (ROOT / name for name in listed.split("\0") if name)
    return tuple(sorted(path for path in paths if path.is_file()))


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def python_files(*folders: str) -> list[Path]:
    return [path for path in tracked() if path.suffix == ".py" and relative(path).split("/")[0] in folders]


@cache
def module(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), relative(path))


Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> Iterator[Function]:
    return (node for node in ast.walk(module(path)) if isinstance(node, Function))


def length(function: Function) -> int:
    """Count the lines of a function without its decorators and its docstring."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def count_lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())
