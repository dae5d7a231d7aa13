"""Changes in a vault as they happen: told by the system, gathered until it is quiet; or looked for every two seconds.

A batch without paths says that it is time to look. There is one as soon as watching has begun, so that nothing that
changes from then on is missed, and one after every half minute of quiet: some drives tell nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path
from threading import Event
from typing import NamedTuple

from loreweave.vault.root import is_of_record, refuse_gone
from loreweave.vault.walk import is_markdown

QUIET_MS = 200
"""After this long without another change, and at most once more, a batch is given."""

LATEST_MS = 1_800
"""However constantly files change, a batch is given after this long, and the time above."""

NOTICED_MS = 20
"""After this long a change is noticed by who asks."""

POLL_SECONDS = 2.0
LOOK_AFTER = 150
"""Waits of ``QUIET_MS`` without a change, after which it is time to look."""

_PAGES = ("lore/digests/", "lore/review-queue")

Told = AbstractSet[tuple[object, str]]
"""What the system tells: kinds of change, and absolute paths; empty where nothing changed for ``QUIET_MS``."""


class Batch(NamedTuple):
    """What may have changed, as paths relative to the vault; ``polling`` says why it is looked for, if it is."""

    paths: frozenset[str] = frozenset()
    polling: str = ""


def changes(root: Path, stop: Event, *, poll: bool = False) -> Iterator[Batch]:
    """Give batches of changes until told to stop; raise VaultError where the vault is gone."""
    why = "as asked"
    if not poll:
        try:
            yield from gathered(root, _told(root, stop))
        except (OSError, RuntimeError) as failed:
            why = str(failed).partition(" about [")[0]
    yield from polled(root, stop, why)


def _told(root: Path, stop: Event) -> Iterator[Told]:
    """Give what the system tells, of all folders; where one may not be read, of the others."""
    try:
        yield from _watch(root, stop)
    except PermissionError:
        yield from _watch(root, stop, ignore_permission_denied=True)


def _watch(root: Path, stop: Event, *, quiet: int = QUIET_MS, ignore_permission_denied: bool = False) -> Iterator[Told]:
    from watchfiles import watch

    return watch(
        root,
        watch_filter=None,
        debounce=LATEST_MS,
        step=quiet,
        stop_event=stop,
        rust_timeout=QUIET_MS,
        yield_on_timeout=True,
        force_polling=False,
        ignore_permission_denied=ignore_permission_denied,
    )


def notice(root: Path, stop: Event, tell: Callable[[], None]) -> None:
    """Call ``tell`` soon after anything but the record may have changed, until told to stop.

    It is called after every half minute of quiet too, and every two seconds where the system tells nothing. A folder
    that is put in the place of the vault's is watched anew.
    """
    while not stop.is_set():
        folder, quiet = _folder(root), LOOK_AFTER
        try:
            for told in _watch(root, stop, quiet=NOTICED_MS, ignore_permission_denied=True):
                quiet += 1
                if quiet > LOOK_AFTER or any(_is_told(root, place) for _, place in told):
                    tell()
                    quiet = 0
                if _folder(root) != folder or any(place == str(root) for _, place in told):
                    break
        except (OSError, RuntimeError):
            stop.wait(POLL_SECONDS)
        tell()


def _folder(root: Path) -> tuple[int, int] | None:
    """Give what tells the folder at the place of the vault from another."""
    try:
        found = root.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _is_told(root: Path, place: str) -> bool:
    path = _relative(root, place)
    return bool(path) and not is_of_record(path) and _matters(root, path)


def polled(root: Path, stop: Event, why: str) -> Iterator[Batch]:
    """Say every two seconds that it is time to look."""
    while not stop.is_set():
        refuse_gone(root)
        yield Batch(polling=why)
        stop.wait(POLL_SECONDS)


def gathered(root: Path, told: Iterable[Told]) -> Iterator[Batch]:
    """Give for what the system tells the paths that matter, and say when it is time to look."""
    quiet = LOOK_AFTER
    for each in told:
        refuse_gone(root)
        paths = frozenset(path for _, place in each if (path := _relative(root, place)) and _matters(root, path))
        quiet = 0 if paths else quiet + 1
        if paths or quiet > LOOK_AFTER:
            yield Batch(paths)
            quiet = 0


def _relative(root: Path, place: str) -> str:
    return os.path.relpath(place, root) if place.startswith(os.path.join(root, "")) else ""


def _matters(root: Path, path: str) -> bool:
    """Say whether a note, a line of the record or a setting may have changed, or a folder, which may be gone."""
    if any(name.startswith(".") or name == "node_modules" for name in path.split("/")) or path.startswith(_PAGES):
        return False
    return is_markdown(path) or path == "lore/config.toml" or not (root / path).is_file()
