"""Start-up is a feature: a command imports what it needs, when it needs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from house.tree import PACKAGE

MODELS = ["httpx2", "numpy", "onnxruntime", "tokenizers"]
HEAVY = ["lark", "mcp", "pathspec", "pyarrow", "rich", "watchfiles", "yaml", *MODELS]
FACT = "- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, recorded_at=2024-01-05T09:00:00Z}\n"
NOTE = "---\nstatus: pilot\n---\n\n# Atlas\n\n- owner:: Priya\n"
RUN = """
import json, sys
try:
    {statement}
except SystemExit as left:
    assert not left.code, left.code
print("\\n" + json.dumps([name for name in {heavy} if name in sys.modules]))
"""


def imported(statement: str, *arguments: str, cwd: Path) -> tuple[str, list[str]]:
    """Run a statement in a process of its own; give what it printed and which heavy libraries it imported."""
    program = RUN.format(statement=statement, heavy=HEAVY)
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(PACKAGE.parent), "LORE_NOW": "2024-06-01T00:00:00Z"},
        capture_output=True,
        text=True,
        check=True,
    )
    printed, modules = done.stdout.rstrip().rsplit("\n", 1)
    return printed, json.loads(modules)


def test_importing_the_library_imports_nothing_heavy(tmp_path: Path) -> None:
    assert imported("import loreweave", cwd=tmp_path)[1] == []


def test_asking_a_fresh_index_imports_nothing_heavy(tmp_path: Path) -> None:
    journal = tmp_path / "lore" / "journal" / "2024-01-05.md"
    journal.parent.mkdir(parents=True)
    journal.write_text(FACT, "utf-8")
    (tmp_path / "atlas.md").write_text(NOTE, "utf-8")
    run = "from loreweave.cli import main; main()"
    imported(run, "facts", cwd=tmp_path)
    printed, modules = imported(run, "facts", "--subject", "Vendor", cwd=tmp_path)
    assert "Vendor :: reliability :: good" in printed
    assert modules == [], "while values wait to be recorded"
    imported(run, "index", cwd=tmp_path)
    printed, modules = imported(run, "facts", "--subject", "Atlas", cwd=tmp_path)
    assert "Atlas :: owner :: Priya" in printed
    assert modules == []


def test_searching_and_asking_a_fresh_index_import_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "atlas.md").write_text(NOTE + "\nThe monthly report of March 2024.\n", "utf-8")
    run = "from loreweave.cli import main; main()"
    imported(run, "index", cwd=tmp_path)
    printed, modules = imported(run, "search", "monthly reports", "report in March 2024", cwd=tmp_path)
    assert "atlas.md#Atlas:" in printed
    assert modules == []
    printed, modules = imported(run, "ask", "who owns Atlas?", cwd=tmp_path)
    assert "Atlas :: owner :: Priya" in printed
    assert modules == []


def test_indexing_what_has_not_changed_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "atlas.md").write_text(NOTE, "utf-8")
    run = "from loreweave.cli import main; main()"
    imported(run, "index", cwd=tmp_path)
    printed, modules = imported(run, "index", cwd=tmp_path)
    assert "nothing to record" in printed
    assert modules == []


def test_patterns_are_matched_by_a_library_only_where_there_are_any(tmp_path: Path) -> None:
    (tmp_path / "lore").mkdir()
    (tmp_path / "lore" / "config.toml").write_text('[vault]\nignore = ["drafts/"]\n', "utf-8")
    run = "from loreweave.cli import main; main()"
    imported(run, "facts", cwd=tmp_path)
    assert imported(run, "facts", cwd=tmp_path)[1] == ["pathspec"]
