"""Turns of readers and a writer: many read at once, one writes alone, and a writer that waits is let in next."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """Whoever reads may read again within, but not write: two that wait for each other would wait for ever."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._readers: dict[int, int] = {}
        self._writer: int | None = None
        self._depth = 0
        self._waiting = 0

    @property
    def is_reading(self) -> bool:
        """Tell whether this thread reads now."""
        return threading.get_ident() in self._readers

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read: no writer changes anything meanwhile."""
        me = threading.get_ident()
        with self._changed:
            if me not in self._readers and self._writer != me:
                self._changed.wait_for(lambda: self._writer is None and not self._waiting)
            self._readers[me] = self._readers.get(me, 0) + 1
        try:
            yield
        finally:
            with self._changed:
                self._readers[me] -= 1
                if not self._readers[me]:
                    del self._readers[me]
                self._changed.notify_all()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write: nobody else reads or writes meanwhile."""
        me = threading.get_ident()
        if self.is_reading and self._writer != me:
            raise RuntimeError("Who reads cannot write.")
        with self._changed:
            if self._writer != me:
                self._waiting += 1
                try:
                    self._changed.wait_for(lambda: self._writer is None and not self._readers.keys() - {me})
                finally:
                    self._waiting -= 1
                    self._changed.notify_all()
                self._writer = me
            self._depth += 1
        try:
            yield
        finally:
            with self._changed:
                self._depth -= 1
                if not self._depth:
                    self._writer = None
                self._changed.notify_all()
