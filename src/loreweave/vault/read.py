"""Reading a file of the vault: its bytes, and the text they are.

A file is as long as it was when it was opened: what is appended meanwhile is read the next time.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from loreweave.errors import WARNING, Finding
from loreweave.vault.encodings import encoding_of, is_binary
from loreweave.vault.root import is_of_record
from loreweave.vault.walk import NO_FILE, NO_TEXT, unreadable


def read_bytes(root: Path, path: str) -> bytes:
    """Read a whole file of the vault; raise OSError where that fails."""
    handle, left = _opened(root, path)
    try:
        parts = []
        while left and (part := os.read(handle, left)):
            parts.append(part)
            left -= len(part)
    finally:
        os.close(handle)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def ends_line(root: Path, path: str) -> bool:
    """Tell whether the last line of a file is ended, by LF; so is an empty file. Raises OSError."""
    handle, size = _opened(root, path)
    try:
        return os.pread(handle, 1, max(size - 1, 0)) in (b"", b"\n")
    finally:
        os.close(handle)


def _opened(root: Path, path: str) -> tuple[int, int]:
    """Open a file without waiting, so that a pipe put in its place cannot hold the reader; give its size too."""
    handle = os.open(os.path.join(root, path), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    status = os.fstat(handle)
    if stat.S_ISREG(status.st_mode):
        return handle, status.st_size
    os.close(handle)
    raise OSError(errno.EINVAL, NO_FILE)


def no_text(path: str, content: bytes) -> Finding | None:
    """Make the finding for a note whose bytes are no text in any encoding; None where they are some."""
    return unreadable(path, OSError(errno.EILSEQ, NO_TEXT)) if is_binary(content) else None


def decode(path: str, content: bytes) -> tuple[str, list[Finding]]:
    """Turn bytes into text, and say what is not plain UTF-8: a byte order mark is obeyed, invalid bytes replaced.

    Nothing but a mark makes a file of the record other than UTF-8: no line can have those around it read otherwise.
    """
    mark, encoding = encoding_of(content, by_mark=is_of_record(path))
    content = content[mark:]
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as invalid:
        start = content[: invalid.start].decode(encoding, "replace")
        line = start.count("\n") + start.count("\r") - start.count("\r\n") + 1
        what = "is not UTF-8" if encoding == "utf-8" else f"is {encoding.upper()}, and is broken"
        said = f"{what} at byte {mark + invalid.start}; what cannot be read became U+FFFD"
        return content.decode(encoding, "replace"), [_said(path, line, said)]
    return text, [] if encoding == "utf-8" else [_said(path, 0, f"is {encoding.upper()}, and read as such")]


def _said(path: str, line: int, what: str) -> Finding:
    return Finding("encoding", f'"{path}" {what}.', "save the file as UTF-8", path, line, 0, WARNING)
