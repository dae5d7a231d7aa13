"""A copy of the index, begun before it is needed: a writer imports, reads and waits meanwhile."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import threading
from pathlib import Path
from typing import Self

from loreweave.errors import StoreError


def beside(index: Path) -> Path:
    """Give the path of this process's draft of the next index."""
    return index.with_name(f"{index.name}.{os.getpid()}.{threading.get_ident()}.tmp")


def sweep(index: Path) -> None:
    """Remove the drafts that killed processes left beside the index."""
    for left in index.parent.glob(f"{index.name}.*.tmp*"):
        process = left.name.removeprefix(f"{index.name}.").partition(".")[0]
        if process.isdigit() and not _runs(int(process)) and not _is_held(left):
            left.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def _is_held(draft: Path) -> bool:
    """Tell whether a database has a draft open: its process may be of another container, and not seen here."""
    try:
        with draft.open("rb+") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as failed:
        return failed.errno in (errno.EACCES, errno.EAGAIN)
    return False


class Copying:
    """Copies the index beside it in a thread; what is not taken is removed on leaving."""

    def __init__(self, index: Path, beside: Path) -> None:
        self._index, self._beside = index, beside
        self._mark = -1
        self._failed: OSError | None = None
        self._thread = threading.Thread(target=self._copy)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join()
        if self._beside.exists():
            self._beside.unlink()

    def take(self) -> Path:
        """Give the copy of the index as it is now, copied again if it was swapped since."""
        self._thread.join()
        if self._mark != mark_of(self._index):
            self._copy()
        if self._failed is not None:
            raise StoreError(f'"{self._index}" cannot be copied: {self._failed.strerror}.', "make room") from None
        return self._beside

    def _copy(self) -> None:
        self._failed = None
        try:
            self._mark = mark_of(self._index)
            if self._mark >= 0:
                shutil.copyfile(self._index, self._beside)
        except FileNotFoundError:
            self._mark = -1
        except OSError as failed:
            self._failed = failed


def mark_of(path: Path) -> int:
    """Give what tells one index from the next; -1 where there is none."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return -1
    return hash((found.st_ino, found.st_mtime_ns, found.st_size)) & ((1 << 62) - 1)
