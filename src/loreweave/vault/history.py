"""The history of the vault's own repository: the commits that changed notes, oldest first, and what each changed.

The history goes from a commit to its first parent, so a merge is one change: what it brought into the line of work.
Only what was committed is read; the files on disk play no part.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

from loreweave.errors import Refused, VaultError
from loreweave.times import Instant
from loreweave.vault.conflicts import conflict_copies
from loreweave.vault.git import command, environment, run

LAST_SECOND = 253_402_300_799
"""The last second that can be written: a commit may claim a later one."""

_NOTES = (":(icase,glob)**/*.md", ":(exclude)lore")
"""Which files are told of; whether one is a note is not decided here."""

_DIFF = ("diff-tree", "-r", "-z", "--raw", "--root", "--no-renames", "--no-abbrev", "--relative")
_INSTEAD = "record what the notes say now with `lore index`"

_is_hash = re.compile("[0-9a-f]{40}(?:[0-9a-f]{24})?").fullmatch


class Commit(NamedTuple):
    """A commit that changed a file of the vault named ``*.md``: its hash, its first parent if any, and its time."""

    hash: str
    parent: str
    committed_at: Instant


Changes = dict[str, str]
"""Objects by the vault-relative path of the file that became so; no name where it is gone, or became a link."""


class Tree:
    """The notes of one commit after another; a file counts where ``is_named`` says so of its path."""

    def __init__(self, is_named: Callable[[str], bool]) -> None:
        self._is_named = is_named
        self._files = Changes()
        self._copies: dict[str, str] = {}

    def is_touched(self, changed: Changes) -> bool:
        """Tell whether any of these files is a note by its name."""
        return any(map(self._is_named, changed))

    def turn(self, changed: Changes) -> Changes:
        """Take in what a commit changed; give the notes that came, changed or went: a conflict copy is none."""
        named = {path: content for path, content in changed.items() if self._is_named(path)}
        moved = any((path in self._files) != bool(content) for path, content in named.items())
        self._files |= named
        for path in [path for path, content in named.items() if not content]:
            del self._files[path]
        copies = conflict_copies(self._files) if moved else self._copies
        turned = named.keys() | (copies.keys() ^ self._copies.keys())
        self._copies = copies
        return {path: "" if path in copies else self._files.get(path, "") for path in sorted(turned)}


def commits(root: Path, walked: Sequence[str] = ()) -> tuple[Commit, ...]:
    """List the commits that are not among those walked, oldest first; ``walked`` holds hashes in the order of walking.

    Raises VaultError where there is no history, Refused where it is not the one walked so far, or is cut off.
    """
    _refuse_unborn(root)
    if walked:
        _refuse_rewritten(root, walked[-1])
    listed = tuple(_listed(root, walked))
    if listed and not listed[0].parent and _said(root, "rev-parse", "--is-shallow-repository") == "true":
        told = f"This clone is shallow: what was committed before {listed[0].hash[:12]} is not here"
        raise Refused(f"{told}, and would seem to have been written then.", "git fetch --unshallow")
    if not listed and not walked:
        raise VaultError("No commit of the repository holds a note of this vault.", f"commit them, or {_INSTEAD}")
    return listed


def files_at(root: Path, commit: Commit) -> Changes:
    """Give the files of a commit, changed in it or not."""
    nothing = _said(root, "hash-object", "-t", "tree", "--stdin")
    with _answering(root, (*_DIFF, nothing, commit.hash)) as words:
        return dict(item for _, changed in _by_commit(words) for item in changed.items())


def changes(root: Path, listed: Iterable[Commit]) -> Iterator[tuple[Commit, Changes]]:
    """Give what each commit changed against its first parent, in their order; one that changed nothing is left out."""
    by_hash = {commit.hash: commit for commit in listed}
    asked = "".join(f"{commit.hash} {commit.parent}".rstrip() + "\n" for commit in by_hash.values())
    with _answering(root, (*_DIFF, "--stdin"), asked) as words:
        for name, changed in _by_commit(words):
            yield by_hash[name], changed


def _refuse_unborn(root: Path) -> None:
    """Raise VaultError where there is no git, no repository or no commit."""
    asked = run(root, "rev-parse", "--git-dir")
    if asked is None:
        raise VaultError("There is no git to be run here.", f"install it, or {_INSTEAD}")
    if b"not a git repository" in asked.stderr:
        raise VaultError("The vault lies in no git repository.", _INSTEAD)
    if asked.returncode:
        raise VaultError(
            f"git cannot read the repository of the vault: {_reason(asked.stderr)}.", "put that right first"
        )
    if not _said(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"):
        raise VaultError("The repository of the vault has no commit yet.", f"commit the notes, or {_INSTEAD}")


def _refuse_rewritten(root: Path, last: str) -> None:
    """Raise Refused where the last commit walked is not in the history of the one checked out."""
    asked = run(root, "merge-base", "--is-ancestor", last, "HEAD") if _is_hash(last) else None
    if asked is None or asked.returncode:
        told = f"The last commit walked, {last[:12]}, is not in the history of the commit checked out now"
        raise Refused(f"{told}: another branch is, or it was rewritten.", f"check out its branch, or {_INSTEAD}")


def _listed(root: Path, walked: Iterable[str]) -> Iterator[Commit]:
    without = [f"^{commit}\n" for commit in walked if _is_hash(commit)]
    listing = ("rev-list", "--first-parent", "--reverse", "--format=%ct %P", "--ignore-missing", "--stdin")
    done = run(root, *listing, "--", *_NOTES, given="".join(["HEAD\n", *without]).encode())
    if done is None or done.returncode:
        raise _unreadable(done.stderr if done else b"")
    words = done.stdout.decode().splitlines()
    for name, about in zip(words[::2], words[1::2], strict=True):
        seconds, _, parents = about.partition(" ")
        yield Commit(name.removeprefix("commit "), parents[:64].split(" ")[0], _instant(seconds))


def _instant(seconds: str) -> Instant:
    return min(int(seconds or 0), LAST_SECOND) * 1_000_000


def _by_commit(words: Iterator[bytes]) -> Iterator[tuple[str, Changes]]:
    """Read the name of each commit and the changes that follow it; what follows none has no name."""
    name, changed = "", Changes()
    for word in words:
        if not word.startswith(b":"):
            if changed:
                yield name, changed
            name, changed = word.decode(), Changes()
            continue
        path, (_, mode, _, content, _) = next(words), word.split()
        with suppress(UnicodeDecodeError):
            changed[path.decode()] = content.decode() if mode.startswith(b"100") else ""
    if changed:
        yield name, changed


@contextmanager
def _answering(root: Path, arguments: Sequence[str], asked: str = "") -> Iterator[Iterator[bytes]]:
    """Run git for its words, each ended by NUL, as they come."""
    with tempfile.TemporaryFile() as questions, tempfile.TemporaryFile() as complaints:
        questions.write(asked.encode())
        questions.seek(0)
        with subprocess.Popen(  # noqa: S603 - the arguments are ours, and hashes
            command(root, *arguments, "--", *_NOTES),
            stdin=questions,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env=environment(),
        ) as git:
            assert git.stdout is not None
            yield _words(git.stdout)
        if git.returncode:
            complaints.seek(0)
            raise _unreadable(complaints.read())


def _words(answer: IO[bytes]) -> Iterator[bytes]:
    rest = b""
    while piece := answer.read(1 << 16):
        *words, rest = (rest + piece).split(b"\0")
        yield from words


def _said(root: Path, *arguments: str) -> str:
    """Give what git says in one line, nothing where it fails."""
    done = run(root, *arguments, given=b"")
    return done.stdout.decode().strip() if done is not None and not done.returncode else ""


def _unreadable(complaint: bytes) -> VaultError:
    told = f"git cannot read the history of the vault: {_reason(complaint)}."
    return VaultError(told, "look at what `git fsck` says")


def _reason(complaint: bytes) -> str:
    line = complaint.decode("utf-8", "replace").strip().partition("\n")[0]
    return line.removeprefix("fatal: ").removeprefix("error: ").rstrip(".") or "it says nothing"
