"""Captures: one line added to the end of an inbox, or of a note that its user names; no other byte changes.

A note is named by its path in the vault. Whatever links stand on the way, what is written is a note of the vault,
never a file of the record or of the engine.
"""

from __future__ import annotations

import errno
import os
import unicodedata
from pathlib import Path

from loreweave.errors import BadRequest, Refused, VaultError
from loreweave.events.inbox import inbox_of
from loreweave.notes.visible import excerpt, reveal
from loreweave.vault.append import refuse_marked, sync_folder
from loreweave.vault.encodings import encoding_of, is_binary
from loreweave.vault.read import read_bytes
from loreweave.vault.root import Rules, note_names, refuse_outside
from loreweave.vault.walk import is_markdown, is_within

_LONGEST_NAME, _LONGEST_PATH = 255, 1_000
"""Bytes that the name of a file, and a path within a vault, may have."""

_PLAIN = "name a note by its path in the vault, such as projects/atlas.md"


def named_note(root: Path, rules: Rules, path: str) -> str:
    """Give the real path, relative to the vault, of the note that a user names; it need not be there yet.

    Raises BadRequest for what is no path of a note, Refused for one that may not be written.
    """
    _refuse_unreadable(path)
    inside = os.path.relpath(path, root) if os.path.isabs(path) else path
    parts = inside.split("/")
    if ".." in parts or "" in parts or "." in parts:
        raise Refused(f"{reveal(path)} is no path within the vault.", _PLAIN)
    if not is_markdown(inside):
        raise Refused(f"{reveal(path)} is no note: its name does not end in .md.", _PLAIN)
    inside = _as_listed(root, unicodedata.normalize("NFC", inside))
    real = os.path.relpath(os.path.realpath(root / inside), root)
    if not is_within(str(root), os.path.realpath(root / inside)):
        raise Refused(f'"{inside}" leads out of the vault, and is never written.', "name a note that stands in it")
    is_note = note_names(root, rules)
    for place in dict.fromkeys((inside, real)):
        if place == "lore" or place.startswith("lore/"):
            raise Refused(f'"{place}" lies in lore/, which is the engine\'s own.', "name a note outside it")
        if not is_note(place):
            raise Refused(f'"{place}" is not read as a note, so what is captured there would not be found.', _PLAIN)
    return real


def inbox(root: Path, scope: str) -> str:
    """Give the path of the inbox of a scope; raise VaultError where a link leads from it."""
    path = inbox_of(scope)
    if _is_too_long(path):
        told = f"The scope {excerpt(scope)} is too long for the name of an inbox."
        raise Refused(told, "name a note of that scope with --to")
    refuse_outside(root, path)
    if (root / path).is_symlink():
        told = f'"{path}" is a link to "{os.readlink(root / path)}".'
        raise VaultError(told, "put a real file in its place, or capture --to that note")
    return path


def content_of(root: Path, path: str) -> bytes:
    """Give the bytes of a note, none where there is no such file; raise VaultError where it cannot be read."""
    try:
        content = read_bytes(root, path)
    except FileNotFoundError:
        return b""
    except OSError as failed:
        raise VaultError(f'"{path}" cannot be read: {failed.strerror}.', "put a regular file in its place") from None
    if is_binary(content):
        raise Refused(f'"{path}" is not text, so nothing was written.', "name a note")
    mark, encoding = encoding_of(content)
    if (len(content) - mark) % len("\n".encode(encoding)):
        told = f'"{path}" ends within a character of {encoding.upper()}, so nothing was written.'
        raise Refused(told, "save it again as UTF-8")
    return content


def addition(content: bytes, line: str) -> bytes:
    """Give the bytes that add a line to a note: in its encoding, after the end of its last line, with its line ends."""
    mark, encoding = encoding_of(content)
    text = content[mark:].decode(encoding, "replace")
    at = max(text.rfind("\n"), text.rfind("\r"))
    newline = "\n" if at < 0 else "\r\n" if text[at - 1 : at + 1] == "\r\n" else text[at]
    begins = "" if not text or text.endswith(("\n", "\r")) else newline
    return f"{begins}{line}{newline}".encode(encoding)


def add(root: Path, path: str, added: bytes) -> None:
    """Add bytes to the end of a file, made with its folders if need be, all or none; the caller holds the lock."""
    target = root / path
    refuse_marked(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW
        is_new = not target.exists()
        handle = os.open(target, flags, 0o644)
    except OSError as failed:
        raise VaultError(f'"{path}" cannot be written: {failed.strerror}.', "make it writable") from None
    size = os.fstat(handle).st_size
    try:
        if os.write(handle, added) != len(added):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(handle)
        if is_new:
            sync_folder(target.parent)
    except OSError as failed:
        os.ftruncate(handle, size)
        raise VaultError(f'"{path}" took no more: {failed.strerror}. Nothing was written.', "make room") from None
    finally:
        os.close(handle)


def _refuse_unreadable(path: str) -> None:
    if not isinstance(path, str):
        raise BadRequest(f"to: {path!r} is not a text.", _PLAIN)
    try:
        path.encode()
    except UnicodeEncodeError:
        raise BadRequest(f"to: {reveal(path)} is not UTF-8.", _PLAIN) from None
    if not path.strip() or any(ord(char) < 32 for char in path):
        raise BadRequest(f"to: {reveal(path)} names no note.", _PLAIN)
    if _is_too_long(path):
        raise BadRequest(f"to: {excerpt(path)} is longer than the name of a file can be.", _PLAIN)


def _is_too_long(path: str) -> bool:
    """Say whether no file can be called so."""
    return len(path.encode()) > _LONGEST_PATH or max(len(part.encode()) for part in path.split("/")) > _LONGEST_NAME


def _as_listed(root: Path, path: str) -> str:
    """Give a path in the normal form in which a file of that name is there already, if one is."""
    if path.isascii() or (root / path).exists():
        return path
    other = unicodedata.normalize("NFD", path)
    return other if (root / other).exists() else path
