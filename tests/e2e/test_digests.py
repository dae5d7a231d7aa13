"""The digest is a function of the files: not of the order of reading, the process, its settings, or the way there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from house.tree import ROOT
from program import digests, lore
from small_vault import DAYS, Files, small_vault, write

SETTINGS = {
    "another hash seed": {"PYTHONHASHSEED": "1"},
    "no hash seed": {"PYTHONHASHSEED": "0"},
    "east of Greenwich": {"TZ": "Pacific/Auckland"},
    "west of Greenwich": {"TZ": "America/Lima"},
    "Turkish": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    "no locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "one processor": {"OMP_NUM_THREADS": "1"},
}
PINNED = {
    "events": "ac33a27c04f15cbc6f0c072aaa129fcaf55073a45bfe5924c56b55af9b3d2b5e",
    "beliefs": "a6c4e589afa69575442ab903281c9f2017702d8be9f0ae0e05b716a921c3871f",
}
"""What every machine and every Python comes to; another digest here is another meaning, or another column."""


def replaying(vault: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "loreweave", "--vault", str(vault), "--quiet", "replay", "--digest", "all", *words]


@pytest.fixture(scope="module")
def files() -> Files:
    return small_vault()


@pytest.fixture(scope="module")
def expected(files: Files, tmp_path_factory: pytest.TempPathFactory) -> str:
    return digests(write(tmp_path_factory.mktemp("expected"), files))


@pytest.mark.parametrize("what", ["all", "answers"])
def test_the_example_says_a_lot(files: Files, tmp_path: Path, what: str) -> None:
    vault = write(tmp_path, files)
    counted = lore(vault, "query", "select kind, count(*) from events group by all order by all").splitlines()
    assert len(counted) == 6, "five kinds of event below the heading"
    assert digests(vault, what) != digests(write(tmp_path / "other", small_vault(seed=2)), what)


@pytest.mark.parametrize("table", PINNED)
def test_it_is_the_same_on_every_machine(expected: str, table: str) -> None:
    assert f"  {table:<10} {PINNED[table]}" in expected.splitlines()


def test_reading_order(files: Files, expected: str, tmp_path: Path) -> None:
    assert digests(write(tmp_path, dict(reversed(files.items())))) == expected


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_settings_of_the_process(settings: dict[str, str], files: Files, expected: str, tmp_path: Path) -> None:
    vault = write(tmp_path, files)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("LORE_", "PYTHONHASH"))}
    done = subprocess.run(
        replaying(vault),
        env=environment | {"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8", **settings},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, expected), done.stderr


def test_cold_and_warm(files: Files, expected: str, tmp_path: Path) -> None:
    vault = write(tmp_path, files)
    assert [digests(vault), digests(vault), digests(vault, "all", "--cold"), digests(vault)] == [expected] * 4


def test_two_replays_at_once(files: Files, expected: str, tmp_path: Path) -> None:
    command = replaying(write(tmp_path, files), "--cold")
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}

    def replay(_: int) -> str:
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    with ThreadPoolExecutor(2) as both:
        assert list(both.map(replay, range(2))) == [expected] * 2


def test_line_by_line_in_any_order_of_files(expected: str, files: Files, tmp_path: Path) -> None:
    grown: Files = {path: [] for path in files}
    turns = [path for path, lines in files.items() for _ in lines]
    Random(5).shuffle(turns)
    for number, path in enumerate(turns):
        grown[path].append(files[path][len(grown[path])])
        write(tmp_path, {path: grown[path]})
        if number % 4 == 0:
            lore(tmp_path, "replay")
    assert digests(tmp_path) == expected


def test_edits_in_the_middle_and_files_that_go_and_return(expected: str, files: Files, tmp_path: Path) -> None:
    vault = write(tmp_path, small_vault(seed=2))
    lore(vault, "replay")
    for number, (path, lines) in enumerate(files.items()):
        if number % 4 == 0:
            (vault / path).unlink()
            lore(vault, "replay")
        write(vault, {path: [*lines[:3], "some words", *lines[3:]]})
        lore(vault, "replay")
        write(vault, {path: lines})
    assert digests(vault) == expected


def test_written_by_commands_or_replayed_from_what_they_wrote(tmp_path: Path) -> None:
    verbs = {
        "assert": ["Vendor", "reliability", "good", "--valid-from"],
        "invalidate": ["Vendor", "reliability", "--valid-until"],
    }
    for number, day in enumerate(DAYS):
        verb, words = list(verbs.items())[number % 3 == 2]
        lore(tmp_path, verb, *words, day, LORE_NOW=f"{day}T09:00:00Z", LORE_BY="priya")
    written = digests(tmp_path)
    shutil.rmtree(tmp_path / ".lore")
    assert digests(tmp_path) == written
