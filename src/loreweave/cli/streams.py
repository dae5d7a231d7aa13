"""The standard streams of the program: one that is full or closed is told of in a sentence, never in a trace."""

from __future__ import annotations

import io
import os
import sys

from loreweave.errors import LoreError


class Unwritable(LoreError):
    """The answer cannot be written to standard output."""


class _Out(io.FileIO):
    """Standard output: what cannot be written is an error of the request, and nothing more is tried."""

    def write(self, data: object, /) -> int:
        try:
            return super().write(data)  # type: ignore[arg-type]
        except OSError as failed:
            silence(self.fileno())
            if isinstance(failed, BrokenPipeError):
                raise
            told = f"The answer could not be written to standard output: {failed.strerror}."
            raise Unwritable(told, "make room, or send it elsewhere") from None


class _Err(io.FileIO):
    """Standard error: what cannot be written is left unsaid, since there is nowhere to say so."""

    def write(self, data: object, /) -> int:
        try:
            return super().write(data)  # type: ignore[arg-type]
        except OSError:
            return memoryview(data).nbytes  # type: ignore[arg-type]


def guard_streams() -> None:
    """Put guarded streams in place of those that the program was started with; those of a test are left alone."""
    if sys.stdin is None:
        sys.stdin = os.fdopen(_nothing(), "r")
    if sys.stdout is sys.__stdout__:
        sys.stdout = _text(_Out(1 if sys.stdout else _nothing(), "w", closefd=False), sys.stdout)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _text(_Err(2 if sys.stderr else _nothing(), "w", closefd=False), sys.stderr)


def silence(descriptor: int) -> None:
    """Let what is still written there go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def _nothing() -> int:
    """Open what a closed stream is to be: it takes its descriptor, so that no file does, and nothing can be written."""
    return os.open(os.devnull, os.O_RDONLY)


def _text(raw: io.FileIO, like: io.TextIOBase | None) -> io.TextIOWrapper:
    encoding, errors = getattr(like, "encoding", None) or "utf-8", getattr(like, "errors", None) or "backslashreplace"
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding, errors, line_buffering=raw.isatty())
