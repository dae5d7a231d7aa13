"""Repositories made by the tests: git with names and times of its own, whatever this machine is set to."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import attrs

OWN = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "Priya",
    "GIT_AUTHOR_EMAIL": "priya@example.org",
    "GIT_COMMITTER_NAME": "Priya",
    "GIT_COMMITTER_EMAIL": "priya@example.org",
    "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z",
    "LC_ALL": "C",
}
FIRST = "2024-01-10T09:00:00Z"

Files = Mapping[str, str | bytes | None]
"""What becomes of files, by path: their content, or None where they go."""


@attrs.frozen
class Repository:
    """A repository and its work tree."""

    folder: Path

    @classmethod
    def new(cls, folder: Path) -> Repository:
        folder.mkdir(parents=True, exist_ok=True)
        made = cls(folder)
        made.git("init", "--quiet", "--initial-branch=main")
        return made

    def git(self, *words: str, at: str = FIRST) -> str:
        """Run git and give what it says; fail where it does."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        environment = kept | OWN | {"GIT_COMMITTER_DATE": at}
        done = subprocess.run(
            ["git", "-C", str(self.folder), *words], env=environment, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode().strip()

    def put(self, files: Files) -> None:
        """Write files to the work tree, or take them away."""
        for path, content in files.items():
            target = self.folder / path
            if content is None:
                target.unlink(missing_ok=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, files: Files, at: str = FIRST) -> str:
        """Write files, commit everything at a time, and give the commit's hash."""
        self.put(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "Work", at=at)
        return self.git("rev-parse", "HEAD")
