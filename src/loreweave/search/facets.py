"""Which spans may be found: those of a scope, and of some tags, a folder and a time where they are asked for.

Facets are conditions inside the ranking, so that a weak match that has the tag is found under any number of strong
ones that have not.
"""

from __future__ import annotations

from datetime import datetime
from unicodedata import normalize

import attrs

from loreweave.events.slots import key
from loreweave.search.found import Question
from loreweave.times import Instant, to_datetime

_TAGGED = "path {} (select path from tags where scope_key = ? and (tag_key = ? or starts_with(tag_key, ?)))"
_IN_FOLDER = "starts_with(lower(nfc_normalize(path)), ?)"


@attrs.frozen
class Facets:
    """Conditions on spans as SQL, each with the values of its ``?``; ``dated`` are those on content time."""

    scope_key: str
    placed: tuple[tuple[str, tuple[object, ...]], ...] = ()
    dated: tuple[tuple[str, tuple[object, ...]], ...] = ()

    @property
    def any(self) -> bool:
        """Tell whether anything but the scope is asked for."""
        return bool(self.placed or self.dated)

    def spans(self, *, undated: bool = False) -> tuple[str, list[object]]:
        """Give the SELECT of the ``span_id`` of those that may be found; or of those left out for bearing no date."""
        dated = (("content_from is null", ()),) if undated else self.dated
        conditions = (("scope_key = ?", (self.scope_key,)), *self.placed, *dated)
        sql = "select span_id from spans where " + " and ".join(condition for condition, _ in conditions)
        return sql, [value for _, values in conditions for value in values]


def facets(question: Question) -> Facets:
    """Read the facets of a question."""
    scope = question.scope_key
    placed = [_tagged(scope, tag) for tag in question.tags if tag.strip("# -/")]
    if question.folder is not None and (folder := _folder(question.folder)):
        placed.append((_IN_FOLDER, (folder,)))
    dated: list[tuple[str, tuple[object, ...]]] = []
    if question.since is not None:
        dated.append(("content_until > ?", (_naive(question.since),)))
    if question.until is not None:
        dated.append(("content_from < ?", (_naive(question.until),)))
    return Facets(scope, tuple(placed), tuple(dated))


def _tagged(scope_key: str, tag: str) -> tuple[str, tuple[object, ...]]:
    """A tag has the tags below it; a tag with ``-`` before it is one that must not be there."""
    bare = tag.strip()
    without = bare.startswith("-")
    tag_key = key(bare.lstrip("-").lstrip("#").strip("/"))
    return _TAGGED.format("not in" if without else "in"), (scope_key, tag_key, f"{tag_key}/")


def _folder(folder: str) -> str:
    """Give the beginning of the paths within a folder, which is no beginning of another folder's name."""
    parts = [part for part in folder.replace("\\", "/").split("/") if part not in ("", ".")]
    return normalize("NFC", "/".join(parts)).lower() + "/" if parts else ""


def _naive(instant: Instant) -> datetime:
    return to_datetime(instant).replace(tzinfo=None)
