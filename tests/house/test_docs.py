"""The documents keep their promises: generated pages are current, terms defined once, prose one sentence a line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from house.prose import faults
from house.tree import PACKAGE, ROOT, relative, tracked
from loreweave.store.schema import TABLES

GENERATED = ["docs/views.md", "docs/commands.md", "docs/tools.md"]
PAGES = [
    path
    for path in tracked()
    if path.suffix == ".md" and (path.parent == ROOT or "docs" in path.relative_to(ROOT).parts[:1])
]


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_prose_is_one_sentence_a_line(page: Path) -> None:
    assert [f"{relative(page)}:{number}: {fault}" for number, fault in faults(page.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One sentence.\nAnother one.\n", []),
        ("One sentence. Another one.\n", [(1, "two sentences")]),
        ("A sentence that\ngoes on.\n", [(1, "a sentence that goes on below")]),
        ("```\nCode. It is not prose\nat all\n```\n", []),
        ("- an item\n- another\n", []),
        ("Files such as `a.B c. D` are one thing, e.g. Atlas.\n", []),
    ],
)
def test_faults_in_prose_are_found(text: str, found: list[tuple[int, str]]) -> None:
    assert list(faults(text)) == found


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
    links = [link for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("name", GENERATED)
def test_a_generated_page_is_current(name: str, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "docs" / "generate.py"), "--into", str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / Path(name).name).read_text("utf-8") == (ROOT / name).read_text("utf-8"), "run `make docs`"


def glossary() -> list[str]:
    rows = (ROOT / "docs" / "glossary.md").read_text("utf-8").splitlines()
    cells = [row.split("|")[1] for row in rows if row.startswith("| ") and not row.startswith("| term ")]
    return [term for cell in cells for term in re.findall(r"\*\*([^*]+)\*\*|`([^`]+)`", cell) for term in term if term]


def test_the_glossary_holds_each_term_once() -> None:
    terms = glossary()
    assert sorted(terms) == sorted(set(terms))


def test_the_glossary_holds_every_column() -> None:
    page = (ROOT / "docs" / "views.md").read_text("utf-8")
    columns = re.findall(r"^\| `(\w+)` \|", page, flags=re.MULTILINE) + [
        name
        for listed in re.findall(r"^Columns: (.*)\.$", page, flags=re.MULTILINE)
        for name in re.findall(r"`(\w+)`", listed)
    ]
    tables = {column.name for table in TABLES for column in table.columns}
    assert set(columns) >= tables
    assert set(columns) - set(glossary()) - {"line"} == set()


def test_the_map_shows_the_tree_that_exists() -> None:
    drawn = set(re.findall(r"^│   [├└]── (\w+)", (ROOT / "docs" / "house.md").read_text("utf-8"), flags=re.MULTILINE))
    inside = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in tracked() if PACKAGE in path.parents}
    assert drawn == inside - {"__init__", "__main__", "py.typed"}


def test_decisions_are_numbered_and_short() -> None:
    pages = sorted(path for path in tracked() if path.parent == ROOT / "docs" / "decisions")
    assert [path.name[:5] for path in pages] == [f"{number:04}-" for number in range(1, len(pages) + 1)]
    assert [path.name for path in pages if len(path.read_text("utf-8").splitlines()) > 60] == []
