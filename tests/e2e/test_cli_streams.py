"""Standard streams that are full or closed: one sentence, exit code 2, and no trace."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from house.tree import PACKAGE
from typed import NOW

FULL = "No space left on device"
CLOSED = "Bad file descriptor"
STANDING = " The line stands in lore/journal/2025-12-01.md:1."
pytestmark = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")


def shell(at: Path, words: str, streams: str) -> subprocess.CompletedProcess[str]:
    """Run a command with its streams as a shell sets them."""
    command = f'exec "{sys.executable}" -m loreweave {words} {streams}'
    environment = os.environ | {"PYTHONPATH": str(PACKAGE.parent), "LORE_NOW": NOW, "LORE_BY": "priya"}
    return subprocess.run(
        ["sh", "-c", command], cwd=at, env=environment, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize(
    ("words", "standing", "streams", "reason"),
    [
        ("assert A p x", STANDING, ">/dev/full", FULL),
        ("assert A p x --json", STANDING, ">&-", CLOSED),
        ("assert A p x --dry-run", "", "<&- >&-", CLOSED),
        ("facts", "", ">&-", CLOSED),
        ("query 'select 1'", "", ">/dev/full", FULL),
        ("query 'select 1' --format arrow", "", ">/dev/full", FULL),
        ("--help", "", ">/dev/full", FULL),
    ],
)
def test_an_answer_that_cannot_be_written_is_told(
    tmp_path: Path, words: str, standing: str, streams: str, reason: str
) -> None:
    told = shell(tmp_path, words, streams)
    error = f"error: The answer could not be written to standard output: {reason}.{standing}"
    assert (told.returncode, told.stderr.splitlines()) == (2, [error, "hint: make room, or send it elsewhere"])


def test_what_was_imported_stands_though_nobody_hears_of_it(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("subject,predicate,object\nA,p,x\nB,p,y\n", "utf-8")
    told = shell(tmp_path, "import rows.csv", ">/dev/full")
    assert "What was imported stands in lore/journal/2025-12-01.md:1-2." in told.stderr


@pytest.mark.parametrize("streams", ["2>/dev/full", "2>&-"])
def test_an_answer_does_not_need_standard_error(tmp_path: Path, streams: str) -> None:
    told = shell(tmp_path, "facts --subject Vendor", streams)
    assert (told.returncode, told.stdout.splitlines()[0]) == (0, "no facts")
    assert shell(tmp_path, "facts --as-of x", streams).returncode == 2


def test_closed_standard_input_holds_no_sql(tmp_path: Path) -> None:
    told = shell(tmp_path, "query", "<&-")
    assert (told.returncode, "Traceback" in told.stderr) == (2, False)
    assert shell(tmp_path, "import -", "<&-").returncode == 2
