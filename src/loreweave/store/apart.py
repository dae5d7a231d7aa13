"""Processes of their own for SQL of agents: whatever a query does, it does it to a process that can be killed.

Each is started when it is needed, answers one question at a time, a line of JSON for a line of JSON, and is kept for
the next. One that takes too long, or that nobody waits for any more, is killed, and so is one that says it is spent.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loreweave.errors import BadRequest

if TYPE_CHECKING:
    import subprocess

UNWANTED: ContextVar[threading.Event | None] = ContextVar("unwanted", default=None)
"""Set where nobody waits any more for what is asked here."""

AT_ONCE = 2
"""How many processes there are at a time."""

SPARE = 30.0
"""Seconds that a question is given beyond its own: to start, to open the index, and to stop by itself."""

LONGEST = 10_000_000
"""Bytes of one answer."""

SPENT = "spent"
"""What an answer holds where its process is to be replaced."""

_LOOK = 0.1
_PIECE = 1 << 20
_PROGRAM = """
import sys
from importlib import import_module
sys.path.insert(0, sys.argv[1])
import_module(sys.argv[2]).main()
"""


class Apart:
    """The processes of one vault. Safe from several threads."""

    def __init__(self) -> None:
        self._room = threading.Semaphore(AT_ONCE)
        self._lock = threading.Lock()
        self._all: set[_Process] = set()
        self._idle: list[_Process] = []

    def ask(self, module: str, question: Mapping[str, object], seconds: float) -> dict[str, Any]:
        """Give the answer of a process that runs ``main`` of a module; raise BadRequest where it gives none."""
        unwanted = UNWANTED.get() or threading.Event()
        with self._room_for(unwanted):
            while True:
                with suppress(_HasEndedError):
                    return self._asked(self._taken(module), question, seconds, unwanted)

    def close(self) -> None:
        """Kill all of them, whatever they do."""
        with self._lock:
            idle, busy = self._idle, self._all.difference(self._idle)
            self._idle, self._all = [], set()
        for process in idle:
            process.end()
        for process in busy:
            process.kill()  # who waits for it lets go of it

    @contextmanager
    def _room_for(self, unwanted: threading.Event) -> Iterator[None]:
        """Wait until there is room for one more process, as long as somebody wants it."""
        while not self._room.acquire(timeout=_LOOK):
            _refuse_unwanted(unwanted)
        try:
            yield
        finally:
            self._room.release()

    def _taken(self, module: str) -> _Process:
        with self._lock:
            if self._idle:
                return self._idle.pop()
            process = _Process(module)
            self._all.add(process)
            return process

    def _asked(
        self, process: _Process, question: Mapping[str, object], seconds: float, unwanted: threading.Event
    ) -> dict[str, Any]:
        is_kept = False
        try:
            answer = process.ask(question, seconds, unwanted)
            is_kept = not answer.pop(SPENT, False)
            return answer
        finally:
            with self._lock:
                is_kept = is_kept and process in self._all
                (self._idle.append if is_kept else self._all.discard)(process)
            if not is_kept:
                process.end()


class _HasEndedError(Exception):
    """A process had ended before it was asked."""


class _Process:
    """One process, and what is said to it and heard of it."""

    def __init__(self, module: str) -> None:
        import subprocess

        source = str(Path(__file__).parents[2])
        self._process: subprocess.Popen[bytes] = subprocess.Popen(  # noqa: S603 - this interpreter, and our own program
            [sys.executable, "-P", "-c", _PROGRAM, source, module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for whoever started it
        )
        self._was_asked = False

    def kill(self) -> None:
        """Kill it, whatever it does."""
        self._process.kill()

    def end(self) -> None:
        """Kill it, and let go of what it held."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def ask(self, question: Mapping[str, object], seconds: float, unwanted: threading.Event) -> dict[str, Any]:
        """Give its answer; raise BadRequest where there is none in time, or it ends in the middle."""
        if self._process.poll() is not None:
            raise _HasEndedError
        was_asked, self._was_asked = self._was_asked, True
        until = time.monotonic() + seconds + SPARE
        try:
            self._say(json.dumps(question).encode() + b"\n")
        except OSError:
            self._refuse_ended(was_asked=was_asked)
        heard = bytearray()
        while not heard.endswith(b"\n"):
            _refuse_unwanted(unwanted)
            if time.monotonic() > until:
                told = f"The query took longer than {seconds:g} s and was stopped."
                raise BadRequest(told, "ask for less, or give it more time: --timeout")
            if self._is_heard():
                self._hear(heard, was_asked=was_asked)
        answer: dict[str, Any] = json.loads(heard)
        return answer

    def _say(self, said: bytes) -> None:
        left = memoryview(said)
        while left and self._process.stdin is not None:
            left = left[self._process.stdin.write(left) or 0 :]

    def _is_heard(self) -> bool:
        """Wait a moment, and tell whether there is something to read."""
        import selectors

        with selectors.DefaultSelector() as waiting:
            waiting.register(self._fd, selectors.EVENT_READ)
            return bool(waiting.select(_LOOK))

    def _hear(self, heard: bytearray, *, was_asked: bool) -> None:
        piece = os.read(self._fd, _PIECE)
        heard += piece
        if len(heard) > LONGEST:
            raise BadRequest(f"The answer is longer than {LONGEST:,} bytes.", "ask for fewer columns, or parts of them")
        if not piece:
            self._refuse_ended(was_asked=was_asked and not heard)

    @property
    def _fd(self) -> int:
        return self._process.stdout.fileno() if self._process.stdout is not None else -1

    def _refuse_ended(self, *, was_asked: bool) -> None:
        """Tell one that had left, as one does that is not asked for long, from one that the query has ended."""
        if was_asked and self._process.wait() == 0:
            raise _HasEndedError
        told = "The query ended the process that was to answer it, as one does that needs too much memory."
        raise BadRequest(told, "ask for less, or give it more: --memory-limit")


def _refuse_unwanted(unwanted: threading.Event) -> None:
    if unwanted.is_set():
        raise BadRequest("Nobody waits for the query any more, so it was stopped.")
