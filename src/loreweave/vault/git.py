"""What git knows of a vault: whether it ignores the record, what the record was at a revision, and any object."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO

from loreweave.errors import BadRequest, VaultError
from loreweave.vault.root import JOURNAL, LEDGER

_KEPT = ("GIT_CEILING_DIRECTORIES", "GIT_CONFIG", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH")
"""What of git's own variables is the user's: the others tell of the repository whose hook runs this."""


def ignores(root: Path, path: str) -> str | None:
    """Give the rule by which git ignores a path, as `file:line: pattern`; None where it does not or is not there."""
    done = run(root, "check-ignore", "--verbose", "--no-index", path)
    if done is None or done.returncode != 0:
        return None
    place, _, _ = done.stdout.decode("utf-8", "replace").partition("\t")
    file, line, pattern = place.rsplit(":", 2)
    return None if pattern.startswith("!") else f"{file}:{line}: {pattern}"


def record_at(root: Path, revision: str) -> dict[str, bytes]:
    """Give the files of the record as they were committed at a revision; raise BadRequest where there is none."""
    unknown = BadRequest(f'"{revision}" is neither an index file nor a commit that git knows here.', "name one of them")
    commit = run(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None or commit.returncode != 0:
        raise unknown
    listed = run(root, "ls-tree", "-r", "-z", commit.stdout.decode().strip(), JOURNAL, LEDGER)
    if listed is None or listed.returncode != 0:
        raise unknown
    files = {}
    for entry in listed.stdout.split(b"\0"):
        about, _, name = entry.partition(b"\t")
        path = os.fsdecode(name)
        if path.lower().endswith(".md"):
            files[path] = about.split()[2].decode()
    with objects(root) as content:
        return {path: content(name) for path, name in files.items()}


def head(root: Path) -> str:
    """Give the commit that is checked out; empty where there is none, or no git."""
    done = run(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    return done.stdout.decode().strip() if done is not None and done.returncode == 0 else ""


def lacks_lines(root: Path, folder: str) -> bool:
    """Tell whether files of a folder lack lines that the commit checked out has."""
    plainly = ("--numstat", "--no-renames", "--no-ext-diff", "--no-textconv", "--relative")
    done = run(root, "diff", *plainly, "HEAD", "--", folder)
    if done is None or done.returncode != 0:
        return False
    return any(line.split(b"\t")[1] not in (b"0", b"-") for line in done.stdout.splitlines())


@contextmanager
def objects(root: Path) -> Iterator[Callable[[str], bytes]]:
    """Give a function that reads an object by its name, all in one process; VaultError for one that is not there."""
    with subprocess.Popen(  # noqa: S603 - see run
        command(root, "cat-file", "--batch"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
    ) as git:
        assert git.stdin is not None
        assert git.stdout is not None
        yield partial(_content, git.stdin.fileno(), git.stdout)


def _content(asked: int, answers: IO[bytes], name: str) -> bytes:
    with suppress(BrokenPipeError):
        os.write(asked, f"{name}\n".encode())
    head = answers.readline().split()
    size = int(head[2]) if len(head) == 3 else -1
    content = answers.read(size + 1)[:-1] if size >= 0 else b""
    if len(content) != size:
        told = f"The repository of the vault lacks the object {name}, as a clone does that left objects out."
        raise VaultError(told, "fetch it whole, or look at what `git fsck` says")
    return content


def run(root: Path, *arguments: str, given: bytes | None = None) -> subprocess.CompletedProcess[bytes] | None:
    """Run git in the vault to its end; None where there is no git to run."""
    try:
        return subprocess.run(  # noqa: S603 - the arguments are ours, and a revision never begins with a dash
            command(root, *arguments), input=given, capture_output=True, check=False, env=environment()
        )
    except OSError:
        return None


def command(root: Path, *arguments: str) -> list[str]:
    """Give the command line of git in the vault: it goes to no network, and starts nothing that the vault names."""
    return ["git", "-C", str(root), "-c", "protocol.allow=never", "-c", "core.fsmonitor=false", *arguments]


def environment() -> dict[str, str]:
    """Give the environment that git runs in: the vault's own repository, no lock taken, messages in English."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name.startswith(_KEPT)}
    return kept | {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
