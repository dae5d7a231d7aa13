"""Where links lead: by path, then file name, then title, then alias, each link by the names of one key alone.

Among files of one name the one in the linking note's folder counts, then the one at the top of the vault, then those
below that folder, then the shortest path, then the first. A file always wins over an alias, and an alias that two notes
claim leads to neither. Markdown links go by paths and file names only. No link leads into another scope: to who asks
of one, what is in others is not there.
A link to what is no note, a picture or a folder, is an attachment: it leads to no note and is not broken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from loreweave.notes.links import IMAGE, MARKDOWN
from loreweave.notes.model import Link
from loreweave.projections.names import ALIAS, BLOCK, NAME, NESTED, SUFFIX, TITLE, heading_key, name_key, spelling

PATH = "path"

NO_NOTE, NO_HEADING, NO_BLOCK, OUTSIDE, MANY_CLAIM = "note", "heading", "block", "outside", "alias"
"""Why a link is broken: what it names is not there, it leads out of the vault, or several notes claim its alias."""

SEVERAL = "several"
"""Why a link is doubtful that is not broken: another note might be meant as well as the one it leads to."""

ATTACHMENTS = frozenset(
    """
    3gp 7z aac avi avif base bib bmp canvas csv doc docx drawio epub flac gif gz heic htm html ico ics ipynb jpeg jpg
    json m4a mkv mov mp3 mp4 odp ods odt ogg ogv opus pdf png ppt pptx psd rar rtf srt svg tar tex tif tiff toml tsv
    txt vtt wav webm webp xls xlsx xml yaml yml zip
    """.split()
)
"""The endings of files that wiki brackets may name and that are no notes."""

_HERE, _TOP, _BELOW, _ELSEWHERE = range(4)
_LINE_OF_CODE = re.compile(r"L[0-9]++(?:-L?[0-9]++)?\Z").match


class Resolved(NamedTuple):
    """Where a link leads: to which note, by what it was found, and if it is broken or doubtful, why.

    ``resolved_by`` is ``path``, ``name``, ``title`` or ``alias``; ``others`` are the notes that it may mean as well.
    """

    target_path: str | None = None
    resolved_by: str | None = None
    broken: bool = False
    reason: str = ""
    others: tuple[str, ...] = ()


_ATTACHED = Resolved()


class _Candidate(NamedTuple):
    """A note by one of its names; of a file, ``name`` and ``spelled`` begin with the folder."""

    path: str
    kind: str
    name: str
    spelled: str


class _Sought(NamedTuple):
    """What a link names: as written, spelled, and as a path from the linking note's folder and from the top.

    Those are None where they lead out of the vault. Where ``is_whole``, no path that only ends so is meant.
    """

    folder: str
    name: str
    spelled: str
    from_here: str | None
    from_top: str | None
    is_whole: bool


class Directory:
    """The names of notes, and the places in them: all, or those of a few keys and of the notes these belong to."""

    def __init__(
        self,
        names: Iterable[Sequence[str]],
        anchors: Iterable[Sequence[str]] = (),
        scope_of: Callable[[str], str] = lambda _: "",
    ) -> None:
        """Take rows of ``names`` (path, key, kind, name) and of ``anchors`` (path, key), in any order.

        ``scope_of`` gives the key of the scope of a path; all are of one where nothing is said.
        """
        self._scope_of = scope_of
        self._names: dict[str, list[Sequence[str]]] = {}
        for row in names:
            self._names.setdefault(row[1], []).append(row)
        self._anchors: dict[str, set[str]] = {}
        for path, key in anchors:
            self._anchors.setdefault(path, set()).add(key)
        self._headings: dict[str, set[str]] = {}
        self._candidates: dict[tuple[str, str], list[_Candidate]] = {}
        self._found: dict[tuple[str, str, str, bool], Resolved] = {}

    def resolve(self, path: str, link: Link) -> Resolved:
        """Say where a link leads that stands in the note at ``path``."""
        if not link.target:
            found = Resolved(path, PATH)
        else:
            asked = self._scope_of(path), path.rpartition("/")[0], link.target, link.style in (MARKDOWN, IMAGE)
            if asked not in self._found:
                self._found[asked] = self._find(*asked)
            found = self._found[asked]
        if found.reason in (NO_NOTE, OUTSIDE) and _is_attachment(link):
            return _ATTACHED
        missing = link.heading and found.target_path and self._missing(found.target_path, link.heading)
        return found._replace(broken=True, reason=missing) if missing else found

    def _find(self, scope: str, folder: str, target: str, by_file_only: bool) -> Resolved:
        if by_file_only and target.endswith("/"):
            return Resolved(broken=True, reason=NO_NOTE)
        sought = _sought(folder, target)
        candidates = self._named(scope, name_key(target))
        files = [each for each in candidates if each.kind == NAME and _is_meant(each.spelled, sought)]
        if files:
            return _chosen(files, sought)
        if sought.from_here is None:
            return Resolved(broken=True, reason=OUTSIDE)
        for kind in () if by_file_only else (TITLE, ALIAS):
            named = [each for each in candidates if each.kind == kind and each.spelled == sought.spelled]
            if named:
                return _chosen(named, sought)
        return Resolved(broken=True, reason=NO_NOTE)

    def _named(self, scope: str, key: str) -> list[_Candidate]:
        if (scope, key) not in self._candidates:
            named = (row for row in self._names.get(key, ()) if self._scope_of(row[0]) == scope)
            self._candidates[scope, key] = [_candidate(*row) for row in named]
        return self._candidates[scope, key]

    def _missing(self, path: str, heading: str) -> str:
        """Say what is not in a note of a heading, of headings one below the other, or of a block."""
        anchors = self._anchors.get(path, set())
        *above, last = [part for part in heading.split(NESTED) if part.strip()] or [heading]
        if last.startswith(BLOCK):
            return "" if last.lower() in anchors else NO_BLOCK
        if path not in self._headings:
            self._headings[path] = {key.rpartition(NESTED)[2] for key in anchors}
        if heading_key(last) not in self._headings[path]:
            return "" if _LINE_OF_CODE(last) else NO_HEADING
        chain = [heading_key(part) for part in (*above, last)]
        return "" if not above or any(_runs_through(key, chain) for key in anchors) else NO_HEADING


def _candidate(path: str, _: str, kind: str, name: str) -> _Candidate:
    if kind == NAME:
        name = f"{path[: path.rfind('/') + 1]}{name}"
        return _Candidate(path, kind, name, spelling(name))
    return _Candidate(path, kind, name, spelling(name).removesuffix(SUFFIX))


def _sought(folder: str, target: str) -> _Sought:
    spelled = spelling(target).removesuffix(SUFFIX)
    here, top = _joined(spelling(folder), spelled), _joined("", spelled)
    is_whole = spelled.startswith(("/", "./")) or ".." in spelled.split("/")
    if spelled.startswith("/"):
        here = top = _joined("", spelled.lstrip("/"))
    elif is_whole:
        top = here
    return _Sought(folder, target, spelled, here, top, is_whole)


def _joined(folder: str, path: str) -> str | None:
    """Give a path from the top; None where it leads above that."""
    if "/." not in f"/{path}" and path[-1:] != "/":
        return f"{folder}/{path}" if folder else path
    parts: list[str] = []
    for part in (*folder.split("/"), *path.split("/")):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _is_meant(spelled: str, sought: _Sought) -> bool:
    if spelled in (sought.from_here, sought.from_top):
        return True
    return not sought.is_whole and spelled.endswith(f"/{sought.from_top}")


def _chosen(found: list[_Candidate], sought: _Sought) -> Resolved:
    """Choose among notes of one name, which is of one kind."""
    kind = found[0].kind
    by = PATH if kind == NAME and "/" in sought.name else kind
    if len(found) == 1:
        return Resolved(found[0].path, by)
    if kind == ALIAS:
        return Resolved(None, None, True, MANY_CLAIM, tuple(sorted(each.path for each in found)))
    ranked = sorted((_rank(one, sought), len(one.path), not _is_as_written(one, sought), one.path) for one in found)
    rank, _, differs, path = ranked[0]
    alike = [other for other in ranked if other[0] == rank and (rank >= _BELOW or other[2] == differs)]
    return Resolved(path, by, False, SEVERAL if alike[1:] else "", tuple(other[3] for other in alike[1:]))


def _rank(found: _Candidate, sought: _Sought) -> int:
    if found.kind == NAME:
        is_here, is_top = found.spelled == sought.from_here, found.spelled == sought.from_top
    else:
        is_here, is_top = found.path.rpartition("/")[0] == sought.folder, False
    if is_here or is_top:
        return _HERE if is_here else _TOP
    return _BELOW if found.path.startswith(f"{sought.folder}/") or not sought.folder else _ELSEWHERE


def _is_as_written(found: _Candidate, sought: _Sought) -> bool:
    name = sought.name.strip("/")
    return f"/{found.name}".endswith((f"/{name}", f"/{name.removesuffix(SUFFIX)}"))


def _runs_through(key: str, chain: list[str]) -> bool:
    """Say whether a heading and those above it have all these among them, in order."""
    headings = iter(key.split(NESTED))
    return all(part in headings for part in chain)


def _is_attachment(link: Link) -> bool:
    ending = link.target.rpartition("/")[2].rpartition(".")[2].lower()
    return ending != "md" if link.style in (MARKDOWN, IMAGE) else ending in ATTACHMENTS
