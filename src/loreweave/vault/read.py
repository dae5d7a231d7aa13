"""Reading a file of the vault: its bytes, and the text they are."""

from __future__ import annotations

import codecs
import errno
import os
import stat
from pathlib import Path
from typing import IO

from loreweave.errors import WARNING, Finding

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def read_bytes(root: Path, path: str) -> bytes:
    """Read a whole file of the vault; raise OSError where that fails."""
    with _opened(root, path) as file:
        return file.read()


def ends_line(root: Path, path: str) -> bool:
    """Tell whether the last line of a file is ended, by LF; so is an empty file. Raises OSError."""
    with _opened(root, path) as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - 1, 0))
        return file.read(1) in (b"", b"\n")


def _opened(root: Path, path: str) -> IO[bytes]:
    """Open a file without waiting, so that a pipe put in its place cannot hold the reader."""
    handle = os.open(root / path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    raise OSError(errno.EINVAL, "it is not a regular file")


def decode(path: str, content: bytes) -> tuple[str, list[Finding]]:
    """Turn bytes into text: byte order marks obeyed, UTF-8 otherwise, invalid bytes replaced and said."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            text = content[len(mark) :].decode(encoding, "replace")
            return text, [] if encoding == "utf-8" else [_said(path, 0, f"is {encoding.upper()}, and read as such")]
    try:
        return content.decode(), []
    except UnicodeDecodeError as invalid:
        where = f"is not UTF-8 at byte {invalid.start}; what cannot be read became U+FFFD"
        return content.decode("utf-8", "replace"), [_said(path, content.count(b"\n", 0, invalid.start) + 1, where)]


def _said(path: str, line: int, what: str) -> Finding:
    return Finding("encoding", f'"{path}" {what}.', "save the file as UTF-8", path, line, 0, WARNING)
