"""Walking folders: every Markdown file with its stamp, every link that may lead to one, and what bars the way."""

from __future__ import annotations

import errno
import heapq
import os
import stat
from collections.abc import Callable
from typing import NamedTuple

from loreweave.errors import WARNING, Finding

_ENDINGS = (".md", ".MD", ".Md", ".mD")
NO_FILE = "it is not a regular file"
NO_TEXT = "it is not text"
_HINTS: dict[str | None, str] = {
    NO_FILE: "put a regular file in its place",
    NO_TEXT: "save it as text, or let its name end otherwise",
}

Skip = Callable[[str, bool], bool]
"""Says of a path and of whether it is a folder that it is passed over."""


class Stamp(NamedTuple):
    """What tells that a file is the one read before: size, times in nanoseconds, inode."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class Walk:
    """What a walk came upon: files with their stamps, links, and findings, by path relative to the vault.

    ``skip`` says of a path that it is passed over. ``covers`` says of a real path that a link to it leads to
    nothing new: it is walked anyway, or never to be read. ``leaves`` lets links lead out of the vault.
    """

    def __init__(self, root: str, skip: Skip, covers: Skip, *, leaves: bool = False) -> None:
        self.stamps: dict[str, Stamp] = {}
        self.links: list[str] = []
        self.findings: list[Finding] = []
        self._root, self._skip, self._covers, self._leaves = root, skip, covers, leaves
        self._seen: set[str] = set()

    def tree(self, place: str, skip: Skip | None = None) -> None:
        """List a folder and all below it that no link leads to."""
        left = [place]
        while left:
            left += self.folder(left.pop(), skip)

    def folder(self, place: str, skip: Skip | None = None) -> list[str]:
        """List one folder and give the folders in it; one that is gone meanwhile has nothing."""
        folders: list[str] = []
        start = f"{place}/" if place else ""
        try:
            with os.scandir(f"{self._root}/{place}") as entries:
                for entry in entries:
                    if entry.name[0] != ".":
                        self._take(start + entry.name, entry, skip or self._skip, folders)
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError as failed:
            self.findings.append(unreadable(place or ".", failed))
        return folders

    def _take(self, path: str, entry: os.DirEntry[str], skip: Skip, folders: list[str]) -> None:
        try:
            status = entry.stat(follow_symlinks=False) if path[-3:] in _ENDINGS else None
            is_file = status is not None and stat.S_ISREG(status.st_mode)
            is_folder = not is_file and entry.is_dir(follow_symlinks=False)
            is_link = not (is_file or is_folder) and entry.is_symlink()
            if not (status or is_folder or is_link) or skip(path, is_folder):
                return
            path.encode()
            if is_folder:
                folders.append(path)
            elif is_link:
                self.links.append(path)
            elif status is not None:
                self.stamps[path] = _regular(status)
        except UnicodeEncodeError:
            self.findings.append(_unnamed(path))
        except FileNotFoundError:
            pass
        except OSError as failed:
            self.findings.append(unreadable(path, failed))

    def follow(self) -> None:
        """Follow the links met so far and those met thereby, by path; what several lead to is read at the first."""
        met, self.links = self.links, []
        heapq.heapify(met)
        while met:
            path = heapq.heappop(met)
            try:
                self._follow(path)
            except OSError as failed:
                if failed.errno == errno.ELOOP:
                    self.findings.append(_circular(path))
                elif is_markdown(path):
                    self.findings.append(_dangling(self._root, path, failed))
            for link in self.links:
                heapq.heappush(met, link)
            self.links = []

    def _follow(self, path: str) -> None:
        link = f"{self._root}/{path}"
        real = os.path.realpath(link)
        is_folder = os.path.isdir(real)
        if self._skip(path, is_folder):
            return
        if not (self._leaves or is_within(self._root, real)):
            if is_folder or is_markdown(path):
                self.findings.append(outside(path))
        elif not is_folder:
            status = os.stat(link)
            if is_markdown(path) and not self._is_known(real, is_folder):
                self.stamps[path] = _regular(status)
        elif is_within(real, os.path.realpath(os.path.dirname(link))):
            self.findings.append(_circular(path))
        elif not self._is_known(real, is_folder):
            self.tree(path, self._once(path, real))

    def _once(self, place: str, real: str) -> Skip:
        """Pass over what stands below a link, when it was met before."""

        def skip(path: str, is_folder: bool) -> bool:
            return self._skip(path, is_folder) or self._is_known(real + path[len(place) :], is_folder)

        return skip

    def _is_known(self, real: str, is_folder: bool) -> bool:
        if real in self._seen or self._covers(real, is_folder):
            return True
        self._seen.add(real)
        return False


def is_within(folder: str, path: str) -> bool:
    """Say whether a real path is that of a folder, or of something in it."""
    return path == folder or path.startswith(os.path.join(folder, ""))


def is_markdown(path: str) -> bool:
    """Say whether a path has the ending of a Markdown file, in any case."""
    return path[-3:] in _ENDINGS


def stamp_of(path: str | os.PathLike[str]) -> Stamp | None:
    """Give the stamp of a file, None where it is absent."""
    try:
        return _of_stat(os.stat(path))
    except OSError:
        return None


def outside(path: str) -> Finding:
    """Make the finding for what leads out of the vault."""
    message, hint = f'"{path}" leads out of the vault and is not read.', "put a real file or folder in its place"
    return Finding("outside-vault", message, hint, path, severity=WARNING)


def unreadable(path: str, failed: OSError) -> Finding:
    """Make the finding for a file that cannot be read."""
    hint = _HINTS.get(failed.strerror, "make it readable for this user")
    return Finding("unreadable-file", f'"{path}" cannot be read: {failed.strerror}.', hint, path)


def _dangling(root: str, path: str, failed: OSError) -> Finding:
    try:
        target = os.fsencode(os.readlink(f"{root}/{path}")).decode("utf-8", "replace")
    except OSError:
        return unreadable(path, failed)
    message = f'"{path}" is a link to "{target}", which cannot be read: {failed.strerror}.'
    return Finding("unreadable-file", message, "remove the link, or let it lead to a note", path)


def _circular(path: str) -> Finding:
    message = f'The link "{path}" leads back to where it stands and is not followed.'
    return Finding("circular-link", message, "remove it, or let it lead elsewhere", path, severity=WARNING)


def _unnamed(path: str) -> Finding:
    shown = os.fsencode(path).decode("utf-8", "replace")
    return Finding("unreadable-file", f'The name of "{shown}" is not UTF-8.', "rename it", shown)


def _regular(status: os.stat_result) -> Stamp:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, NO_FILE)
    return _of_stat(status)


def _of_stat(status: os.stat_result) -> Stamp:
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
