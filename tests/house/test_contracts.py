"""Every import contract holds, and is shown once to catch the very thing it is for."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from house.tree import PACKAGE, ROOT, module, python_files, relative

CONTRACTS = {
    contract["id"]: contract["name"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
}

FRONT = {"__init__.py", "__main__.py", "cli", "library.py"}

VIOLATIONS = [
    ("storeys", "events/model.py", "import loreweave.projections"),
    ("storeys", "store/__init__.py", "import loreweave.vault"),
    ("storeys", "attic.py", "import loreweave.times"),
    ("duckdb", "reports/__init__.py", "import duckdb"),
    ("core", "events/slots.py", "from os import environ"),
    ("core", "projections/__init__.py", "def late():\n    import time"),
    ("lark", "notes/__init__.py", "import lark"),
    ("answers", "reports/__init__.py", "from loreweave.vault import *"),
    ("answers", "search/__init__.py", "import loreweave.vault.root"),
    ("doors", "vault/__init__.py", "import socket"),
    ("models", "search/__init__.py", "def late():\n    import numpy"),
    ("storeys", "mcp/__init__.py", "import loreweave.cli"),
    ("protocol", "library.py", "def late():\n    import mcp"),
    ("thin", "cli/__init__.py", "def late():\n    import pyarrow"),
    ("circles", "events/model.py", "import loreweave.projections"),
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    shutil.copytree(PACKAGE, tmp_path / "src" / "loreweave", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path / "src"


def lint(source: Path, *contracts: str) -> subprocess.CompletedProcess[str]:
    """Check the contracts over a copy of the package, in a process that has no other."""
    limits = [part for contract in contracts for part in ("--contract", contract)]
    program = "import sys; from importlinter.cli import lint_imports_command as lint; sys.path.insert(0, 'src'); lint()"
    return subprocess.run(
        [sys.executable, "-c", program, "--no-cache", "--no-logo", *limits],
        cwd=source.parent,
        env=os.environ | {"PYTHONPATH": str(source), "NO_COLOR": "1", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_contract_holds(source: Path) -> None:
    done = lint(source)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("contract", "place", "offence"), VIOLATIONS)
def test_a_contract_catches_its_violation(contract: str, place: str, offence: str, source: Path) -> None:
    file = source / "loreweave" / place
    file.write_text((file.read_text("utf-8") if file.exists() else "") + "\n" + offence + "\n", "utf-8")
    done = lint(source, contract)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{CONTRACTS[contract]} BROKEN" in done.stdout


def test_every_contract_has_a_violation_that_shows_it() -> None:
    assert {contract for contract, _, _ in VIOLATIONS} == set(CONTRACTS)


def test_the_front_page_is_no_way_around_the_storeys() -> None:
    below = [path for path in python_files("src") if path.relative_to(PACKAGE).parts[0] not in FRONT]
    taken = [
        f"{relative(path)}:{node.lineno}: {alias.name}"
        for path in below
        for node in ast.walk(module(path))
        if isinstance(node, ast.ImportFrom) and node.module == "loreweave"
        for alias in node.names
        if alias.name != "__version__" and not list(PACKAGE.glob(f"{alias.name}*"))
    ]
    assert taken == []
