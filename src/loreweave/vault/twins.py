"""Case twins: notes whose paths differ in nothing but case or normal form, and would be one file on many disks."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from loreweave.errors import WARNING, Finding


def case_twins(paths: Iterable[str]) -> list[Finding]:
    """Make a finding for each path that one before it is the twin of; both are notes."""
    known: dict[str, str] = {}
    findings = []
    for path in paths:
        first = known.setdefault(path.lower() if path.isascii() else _folded(path), path)
        if first != path:
            message = f'"{first}" and "{path}" differ only in case or in the form of their letters: they are two notes.'
            hint = "rename one of them: on many disks they would be one file"
            findings.append(Finding("case-twin", message, hint, path, severity=WARNING))
    return findings


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
