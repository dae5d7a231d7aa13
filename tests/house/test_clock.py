"""The clock has one door: elsewhere an instant is an argument, so that the same files give the same answers."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from house.tree import ROOT, module, python_files, relative

READS = {
    ("datetime", "now"),
    ("datetime", "utcnow"),
    ("datetime", "today"),
    ("date", "today"),
    ("time", "time"),
    ("time", "time_ns"),
    ("time", "gmtime"),
    ("time", "localtime"),
}


def test_only_the_clock_module_reads_the_clock() -> None:
    reading = [
        f"{relative(path)}:{node.lineno}: {ast.unparse(node)}"
        for path in python_files("src", "tests")
        if relative(path) != "src/loreweave/clock.py"
        for node in ast.walk(module(path))
        if isinstance(node, ast.Attribute) and (ast.unparse(node.value).split(".")[-1], node.attr) in READS
    ]
    assert reading == []


@pytest.mark.parametrize(
    "source",
    [
        "import datetime\n\nnow = datetime.datetime.now(datetime.UTC)\n",
        "from datetime import datetime\n\nnow = datetime.utcnow()\n",
        "from datetime import date\n\ntoday = date.today()\n",
        "from time import time\n\nnow = time()\n",
        "import time\n\nnow = time.time_ns()\n",
    ],
)
def test_the_linter_catches_a_read_of_the_clock_and_lets_the_door_be(source: str) -> None:
    assert "TID251" in banned(source, "src/loreweave/reports/facts.py")
    assert banned(source, "src/loreweave/clock.py") == ""


def banned(source: str, name: str) -> str:
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--no-cache",
        "--quiet",
        "--select",
        "TID251",
        "--stdin-filename",
        name,
        "-",
    ]
    return subprocess.run(command, input=source, capture_output=True, text=True, cwd=ROOT, check=False).stdout
