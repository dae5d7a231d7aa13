"""``lore watch`` on real files: every way of saving is seen, a refresh that fails is survived, a signal ends it."""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from house.tree import PACKAGE
from program import digests, lore
from typed import NOW, vault

SECONDS = 60
"""How long a line is waited for before it is missed."""

NOTE = "---\nstatus: {}\n---\n# Atlas\n"


class Watcher:
    """``lore watch`` in a process of its own, and the lines it prints."""

    def __init__(self, at: Path, *words: str, within: tuple[str, ...] = ()) -> None:
        command = [*within, sys.executable, "-m", "loreweave", "--vault", str(at), "watch", *words]
        environment = os.environ | {"PYTHONPATH": str(PACKAGE.parent), "LORE_NOW": NOW}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, env=environment, text=True, stdout=pipe, stderr=pipe)
        self.said, self.told = _lines(self.process.stdout), _lines(self.process.stderr)

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait for lines until something holds; it is looked at after each."""
        while True:
            line = self.said.get(timeout=SECONDS)
            assert line is not None, "it ended"
            if holds():
                return

    def ends(self, name: int) -> int:
        """Send a signal, and give the exit code."""
        self.process.send_signal(name)
        return self.process.wait(SECONDS)


def _lines(stream: IO[str] | None) -> queue.Queue[str | None]:
    lines: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        for line in stream or ():
            lines.put(line.rstrip("\n"))
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Callable[..., Watcher]]:
    started: list[Watcher] = []

    def watch(*words: str, within: tuple[str, ...] = ()) -> Watcher:
        watcher = Watcher(tmp_path, *words, within=within)
        started.append(watcher)
        assert watcher.told.get(timeout=SECONDS) == f"watching {tmp_path}"
        return watcher

    yield watch
    for watcher in started:
        watcher.process.kill()
        watcher.process.wait()
        for stream in (watcher.process.stdout, watcher.process.stderr):
            assert stream is not None
            stream.close()


def notes(at: Path) -> list[str]:
    """Give the notes that the index holds as it stands."""
    return [row["path"] for row in _rows(at, "select path from notes order by path")]


def status(at: Path) -> list[str]:
    """Give the values that the index believes as it stands."""
    sql = "select object from beliefs where predicate = 'status' and known_until is null and valid_until is null"
    return [row["object"] for row in _rows(at, sql)]


def _rows(at: Path, sql: str) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = json.loads(lore(at, "--json", "--quiet", "query", "--no-refresh", sql))
    return rows


def save(at: Path, text: str) -> None:
    """Save as editors do: a file beside it, put in its place."""
    beside = at.with_suffix(".md.tmp")
    beside.write_text(text, "utf-8")
    os.replace(beside, at)


def test_every_way_of_saving_is_seen(tmp_path: Path, watching: Callable[..., Watcher]) -> None:
    note = vault(tmp_path, {"n.md": NOTE.format("draft")}) / "n.md"
    watcher = watching()
    watcher.until(lambda: status(tmp_path) == ["draft"])
    for number in range(50):
        save(note, NOTE.format(f"saved {number}"))
    watcher.until(lambda: status(tmp_path) == ["saved 49"])
    assert notes(tmp_path) == ["n.md"]
    note.write_text(NOTE.format("in place"), "utf-8")
    watcher.until(lambda: status(tmp_path) == ["in place"])
    note.unlink()
    note.write_text(NOTE.format("anew"), "utf-8")
    watcher.until(lambda: status(tmp_path) == ["anew"])
    assert notes(tmp_path) == ["n.md"]
    (tmp_path / "deep" / "er").mkdir(parents=True)
    note.rename(tmp_path / "deep" / "er" / "n.md")
    watcher.until(lambda: notes(tmp_path) == ["deep/er/n.md"])
    (tmp_path / "deep").rename(tmp_path / "moved")
    watcher.until(lambda: notes(tmp_path) == ["moved/er/n.md"])
    shutil.rmtree(tmp_path / "moved")
    watcher.until(lambda: (notes(tmp_path), status(tmp_path)) == ([], []))
    assert watcher.ends(signal.SIGINT) == 0
    assert digests(tmp_path) == digests(tmp_path, "all", "--cold")


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM], ids=str)
def test_a_signal_ends_it_well(tmp_path: Path, watching: Callable[..., Watcher], name: int) -> None:
    watcher = watching()
    assert watcher.ends(name) == 0
    assert watcher.told.get(timeout=SECONDS) is None


def test_settings_saved_half_way_are_told_and_watching_goes_on(
    tmp_path: Path, watching: Callable[..., Watcher]
) -> None:
    vault(tmp_path, {"n.md": NOTE.format("draft"), "lore/config.toml": ""})
    watcher = watching()
    watcher.until(lambda: status(tmp_path) == ["draft"])
    save(tmp_path / "lore" / "config.toml", '[extract]\nmode = "of')
    assert str(watcher.told.get(timeout=SECONDS)).startswith('error: "lore/config.toml" is not TOML')
    save(tmp_path / "lore" / "config.toml", '[extract]\nmode = "off"\n')
    watcher.until(lambda: (notes(tmp_path), status(tmp_path)) == (["n.md"], []))


def test_a_refresh_is_told_in_one_line(tmp_path: Path, watching: Callable[..., Watcher]) -> None:
    vault(tmp_path, {"n.md": NOTE.format("draft")})
    watcher = watching()
    at = "2025-12-01T00:00:00Z"
    assert watcher.said.get(timeout=SECONDS) == f"{at} notes: +1 ~0 -0 =0; observed 1 value, withdrew 0 values"
    save(tmp_path / "n.md", NOTE.format("draft") + "\nMore.\n")
    assert watcher.said.get(timeout=SECONDS) == f"{at} notes: +0 ~1 -0 =0; nothing to record"
    save(tmp_path / "n.md", NOTE.format("draft").replace("Atlas", "Atlas II"))
    renamed = "observed 1 value, withdrew 1 value; Atlas is now Atlas II: 1 belief ended"
    assert watcher.said.get(timeout=SECONDS) == f"{at} notes: +0 ~1 -0 =0; {renamed}"


def test_a_refresh_is_told_as_an_object_a_line(tmp_path: Path, watching: Callable[..., Watcher]) -> None:
    vault(tmp_path, {"n.md": NOTE.format("draft")})
    line = watching("--json").said.get(timeout=SECONDS)
    assert json.loads(str(line))["observed"] == 1


def test_where_the_system_has_no_watches_left_changes_are_looked_for(
    tmp_path: Path, watching: Callable[..., Watcher]
) -> None:
    limited = ("unshare", "--user", "--map-root-user", "sh", "-c")
    one = 'echo 1 > /proc/sys/user/max_inotify_watches && exec "$@"'
    tried = [*limited, one, "sh", "true"]
    if not shutil.which("unshare") or subprocess.run(tried, check=False, capture_output=True).returncode:
        pytest.skip("the number of watches cannot be limited here")
    vault(tmp_path, {"in/n.md": NOTE.format("draft"), "more/n.md": "# Other\n"})
    watcher = watching(within=(*limited, one, "sh"))
    assert watcher.told.get(timeout=SECONDS) == "looking for changes every 2 s: OS file watch limit reached."
    watcher.until(lambda: status(tmp_path) == ["draft"])
    save(tmp_path / "in" / "n.md", NOTE.format("final"))
    watcher.until(lambda: status(tmp_path) == ["final"])
