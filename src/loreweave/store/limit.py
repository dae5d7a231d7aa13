"""How long SQL of others may take, and how much memory: what takes more is stopped.

The work is done in a thread of its own, because the database looks for Ctrl-C too rarely.
"""

from __future__ import annotations

import resource
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeVar

import duckdb

from loreweave.errors import BadRequest
from loreweave.store.opening import REBUILD, UnusableIndex, bytes_of, tells_broken

GRACE = 2.0
"""Seconds that a question is given to stop in; one that does not is left behind, for it cannot be ended."""

_LOOK = 0.1
"""Seconds after which it is looked again how much memory is taken."""

_T = TypeVar("_T")


class Spent(BadRequest):
    """A query that took too much memory, or goes on though it was stopped: its process is good for no other."""


def _resident() -> int:
    """Give how many bytes of memory the process takes; where the system does not tell, the most that it ever took."""
    try:
        return _pages(1)
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


def _pages(column: int) -> int:
    return int(Path("/proc/self/statm").read_text().split()[column]) * resource.getpagesize()


class Room:
    """Twice an amount of memory, beside what this process takes now: it gets no more of the system, where that can be.

    ``is_full`` is for systems that do not hold a process to what it may take.
    """

    def __init__(self, memory: str) -> None:
        self._least, self._begin, self._more = _resident(), _data(), 2 * bytes_of(memory)
        if self._begin:
            _bound(self._begin + self._more)

    def lift(self) -> None:
        """Let the process take what it likes again."""
        _bound(resource.RLIM_INFINITY)

    @property
    def is_full(self) -> bool:
        """Tell whether the process takes more than it may."""
        return _resident() > self._least + self._more

    @property
    def is_used(self) -> bool:
        """Tell whether so much is taken for good that another query may have less than it should."""
        return max(_data() - self._begin, _resident() - self._least) > self._more // 2


def _data() -> int:
    """Give how many bytes the process has asked the system for, 0 where it does not tell."""
    try:
        return _pages(5)
    except OSError:
        return 0


def _bound(most: int) -> None:
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (most, resource.getrlimit(resource.RLIMIT_DATA)[1]))


class Limit:
    """What is left of the time a question may take; ``run`` interrupts it when nothing is."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, seconds: float, memory: str) -> None:
        self._cursor, self._seconds, self._left = cursor, seconds, seconds
        self._memory, self._most = memory, _resident() + 2 * bytes_of(memory)
        self.stuck = self.too_large = False

    def close(self) -> None:
        """Close the cursor, unless what was asked of it could not be stopped."""
        if not self.stuck:
            with suppress(duckdb.ConnectionException):  # it is closed already
                self._cursor.interrupt()  # rows that nobody read may still be in the making
            self._cursor.close()

    @contextmanager
    def closing_on_error(self) -> Iterator[None]:
        """Close the cursor where what is done with it fails."""
        with ExitStack() as undo:
            undo.callback(self.close)
            yield
            undo.pop_all()

    def run(self, work: Callable[[], _T]) -> _T:
        """Do one piece of work in the database; raise BadRequest for what goes wrong."""
        began = time.monotonic()
        doing = _Doing(work)
        try:
            doing.start()
            self._wait(doing, began + self._left)
            self._stop(doing)
            return doing.result()
        except KeyboardInterrupt:
            self._stop(doing)
            raise
        except OverflowError as failed:
            told = f"The answer has a value that is too large to be given: {failed}."
            raise BadRequest(told, "write it as text, such as value::varchar") from None
        except (duckdb.Error, OSError, MemoryError) as failed:
            self._refuse(failed)
        finally:
            self._left -= time.monotonic() - began

    def _wait(self, doing: _Doing[Any], until: float) -> None:
        """Wait until it is done, as long as there is time and memory."""
        while not self._is_large():
            left = until - time.monotonic()
            if left <= 0 or doing.done.wait(min(left, _LOOK)):
                return

    def _is_large(self) -> bool:
        """Tell whether the process has grown by twice what may be taken: the database counts no texts."""
        self.too_large = self.too_large or _resident() > self._most
        return self.too_large

    def _stop(self, doing: _Doing[Any]) -> None:
        """Interrupt what is not done yet, and wait until it has stopped; raise BadRequest where it does not."""
        until = time.monotonic() + GRACE
        while not doing.done.is_set():
            if time.monotonic() > until:
                self.stuck = True
                self._refuse(duckdb.InterruptException())
            self._cursor.interrupt()
            doing.done.wait(0.1)

    def _refuse(self, failed: Exception) -> NoReturn:
        if isinstance(failed, duckdb.InterruptException) and not self.too_large:
            told = f"The query took longer than {self._seconds:g} s and was stopped."
            kind = Spent if self.stuck else BadRequest
            raise kind(told, "ask for less, or give it more time: --timeout") from None
        if self.too_large or isinstance(failed, duckdb.OutOfMemoryException | MemoryError):
            told = f"The query needs more memory than the {self._memory} that it may have."
            raise Spent(told, "ask for less, or give it more: --memory-limit") from None
        if tells_broken(failed):
            raise UnusableIndex(f"The index cannot be read: {failed}", REBUILD) from None
        raise BadRequest(str(failed)) from None


class _Doing(threading.Thread, Generic[_T]):
    """A piece of work in a thread, and what came of it."""

    def __init__(self, work: Callable[[], _T]) -> None:
        super().__init__(daemon=True)
        self.done = threading.Event()
        self._work = work
        self._came: list[_T] = []
        self._failed: BaseException | None = None

    def run(self) -> None:
        """Do it, and keep what it gives or raises."""
        try:
            self._came.append(self._work())
        except BaseException as failed:  # noqa: BLE001 - it is raised where the result is asked for
            self._failed = failed
        finally:
            self.done.set()

    def result(self) -> _T:
        """Give what the work gave, or raise what it raised."""
        if self._failed is not None:
            raise self._failed
        return self._came[0]
