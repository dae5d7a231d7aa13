"""The vaults on the shelf beside the repository, each made of what broke another program."""

from __future__ import annotations

import os
import runpy
from pathlib import Path

import pytest

from house.tree import ROOT
from program import lore

SHELF = ROOT.parent / "shared" / "cases" / "bugs"
CASES = sorted(path.name for path in SHELF.glob("*/") if (path / "case.json").exists())
LATER = "2026-07-01T08:00:00Z"


@pytest.mark.skipif(not CASES, reason="the vaults are not here: no bugs in ../shared/cases")
@pytest.mark.parametrize("case", CASES)
def test_no_vault_of_the_shelf_of_cases_harms_the_program_or_is_harmed(case: str, tmp_path: Path) -> None:
    lay = runpy.run_path(str(SHELF / "lay.py"))["lay"]
    at = Path(lay(str(SHELF / case), str(tmp_path)))
    for folder, _, names in os.walk(at):
        for path in [Path(folder), *(Path(folder, name) for name in names)]:
            if not path.is_symlink():
                path.chmod(0o755)
    before = _contents(at)
    lore(at, "index", LORE_NOW=LATER)
    assert "nothing to record" in lore(at, "index", "--full", LORE_NOW=LATER)
    assert _contents(at) == before


def _contents(at: Path) -> dict[str, bytes]:
    files = [path for path in at.rglob("*") if path.is_file() and not {"lore", ".lore"} & set(path.parts)]
    return {str(path): path.read_bytes() for path in files}
