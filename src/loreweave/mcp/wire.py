"""Standard input and output as the wire: a message a line, and nothing else on it.

The descriptors are taken for the protocol: whatever else is printed goes to standard error. Reading and writing block,
so each is for a thread of its own: neither a client that never reads nor one that never writes holds up anything else.
"""

from __future__ import annotations

import os
import queue
import select
import threading
from collections.abc import Iterator

from loreweave.errors import BadRequest

LONGEST = 16_000_000
"""Bytes that a line may have."""

_READ = 65_536
_UNREAD = 256
"""How many lines may wait to be read by the client before no more is read from it."""

LOOK_SECONDS = 0.05
"""How often it is looked, while nothing is read, whether the client has let go."""

_HALF_CLOSED = getattr(select, "POLLRDHUP", 0)
"""What of a socket tells its end; a pipe tells it unasked."""


class Wire:
    """The two ends of the wire, as descriptors of their own. ``broken`` tells that nobody reads any more."""

    def __init__(self, read_from: int, write_to: int) -> None:
        self._read_from, self._write_to = read_from, write_to
        self._waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.written = threading.Event()

    @classmethod
    def taken(cls) -> Wire:
        """Take standard input and output: from now on reading them gives nothing, and prints go to standard error.

        Raises BadRequest where they are closed.
        """
        try:
            ends = os.dup(0), os.dup(1)
        except OSError:
            told = "Standard input or output is closed."
            raise BadRequest(told, "start the server with both open: a client talks to it there") from None
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        return cls(*ends)

    def lines(self) -> Iterator[bytes | None]:
        """Give the lines as they come, without their ends; None for one that is too long."""
        held, is_long = bytearray(), False
        while self._is_wanted() and (chunk := os.read(self._read_from, _READ)):
            *whole, rest = chunk.split(b"\n")
            for piece in whole:
                yield None if is_long or len(held) + len(piece) > LONGEST else bytes(held + piece)
                held, is_long = bytearray(), False
            is_long = is_long or len(held) + len(rest) > LONGEST
            held = bytearray() if is_long else held + rest
        if held or is_long:
            yield None if is_long else bytes(held)

    def _is_wanted(self) -> bool:
        """Wait while the client reads nothing of what it is told; tell whether it still has something to say."""
        while self._waiting.qsize() > _UNREAD:
            if self.is_let_go(LOOK_SECONDS) or self.written.is_set():
                return False
        return True

    def is_let_go(self, seconds: float = 0) -> bool:
        """Tell, within so long, whether the client writes nothing more than what it wrote and is not read yet."""
        look = select.poll()
        look.register(self._read_from, _HALF_CLOSED)
        return bool(look.poll(seconds * 1_000))

    def send(self, line: bytes) -> None:
        """Have a line written, in its turn."""
        self._waiting.put(line + b"\n")

    def end(self) -> None:
        """Say that nothing more is to be written."""
        self._waiting.put(None)

    def write(self) -> None:
        """Write what is to be written until there is nothing more, or nobody who reads it; ``written`` tells."""
        try:
            while (data := self._waiting.get()) is not None:
                view = memoryview(data)
                while view:
                    view = view[os.write(self._write_to, view) :]
        except OSError:
            pass
        finally:
            self.written.set()
