"""What git knows of a vault: whether it ignores the record, and what the record was at a revision."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from loreweave.errors import BadRequest
from loreweave.vault.root import JOURNAL, LEDGER


def ignores(root: Path, path: str) -> str | None:
    """Give the rule by which git ignores a path, as `file:line: pattern`; None where it does not or is not there."""
    done = _git(root, "check-ignore", "--verbose", "--no-index", path)
    if done is None or done.returncode != 0:
        return None
    place, _, _ = done.stdout.decode("utf-8", "replace").partition("\t")
    file, line, pattern = place.rsplit(":", 2)
    return None if pattern.startswith("!") else f"{file}:{line}: {pattern}"


def record_at(root: Path, revision: str) -> dict[str, bytes]:
    """Give the files of the record as they were committed at a revision; raise BadRequest where there is none."""
    unknown = BadRequest(f'"{revision}" is neither an index file nor a commit that git knows here.', "name one of them")
    commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None or commit.returncode != 0:
        raise unknown
    listed = _git(root, "ls-tree", "-r", "-z", commit.stdout.decode().strip(), JOURNAL, LEDGER)
    if listed is None or listed.returncode != 0:
        raise unknown
    files = {}
    for entry in listed.stdout.split(b"\0"):
        about, _, name = entry.partition(b"\t")
        path = os.fsdecode(name)
        if path.lower().endswith(".md"):
            files[path] = about.split()[2].decode()
    return _contents(root, files)


def _contents(root: Path, files: dict[str, str]) -> dict[str, bytes]:
    """Read many objects in one process."""
    asked = "".join(f"{name}\n" for name in files.values()).encode()
    done = _git(root, "cat-file", "--batch", given=asked)
    found: dict[str, bytes] = {}
    at = 0
    answer = done.stdout if done is not None else b""
    for path in files:
        end = answer.index(b"\n", at)
        size = int(answer[at:end].split()[2])
        found[path] = answer[end + 1 : end + 1 + size]
        at = end + 1 + size + 1
    return found


def _git(root: Path, *arguments: str, given: bytes | None = None) -> subprocess.CompletedProcess[bytes] | None:
    """Run git in the vault; None where there is none to run."""
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        return subprocess.run(  # noqa: S603 - the arguments are ours, and a revision never begins with a dash
            ["git", "-C", str(root), *arguments], input=given, capture_output=True, check=False, env=environment
        )
    except OSError:
        return None
