"""A search as callers say it, what it found as JSON, and what to try where it found nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypedDict

import attrs

from loreweave.errors import BadRequest, Refused
from loreweave.events.model import DEFAULT_SCOPE
from loreweave.events.slots import key
from loreweave.notes.visible import reveal
from loreweave.reports.codec import plain
from loreweave.reports.question import limit_of, refuse_surrogates
from loreweave.search.dates import bounds
from loreweave.search.found import LIMIT, Question, Result
from loreweave.times import Instant, Time

if TYPE_CHECKING:
    from loreweave.search.found import Found
    from loreweave.store.session import Session

_TAGS = "tags where scope_key = $scope_key"

COPIES = 10
"""How many places of copies JSON names for one span; how many there are it tells beside."""

WORDINGS = 32
"""How many wordings one search may have."""


class Facets(TypedDict, total=False):
    """Which spans may be found: of these tags, below this folder, of this content time; and how many at most."""

    limit: int
    tags: Iterable[str]
    folder: str | None
    since: Time
    until: Time


def question(wordings: tuple[str, ...], facets: Facets, scope: str, now: Instant) -> Question:
    """Read a search; raise BadRequest for what cannot be read, Refused for what makes no sense."""
    _refuse_unreadable(wordings, facets)
    since, until = bounds(facets.get("since"), facets.get("until"), now)
    return Question(
        wordings=wordings,
        limit=limit_of(facets.get("limit", LIMIT)),
        tags=tuple(facets.get("tags", ())),
        folder=facets.get("folder"),
        since=since,
        until=until,
        scope_key=key(scope),
        now=now,
    )


def _refuse_unreadable(wordings: tuple[str, ...], facets: Facets) -> None:
    unknown = sorted(facets.keys() - Facets.__annotations__.keys())
    if unknown:
        told = f"search takes no {' and no '.join(unknown)}."
        raise BadRequest(told, f"give some of {', '.join(Facets.__annotations__)}")
    tags, folder = facets.get("tags", ()), facets.get("folder")
    if isinstance(tags, str):
        raise BadRequest(f'tags: "{tags}" is not a list.', "give the tags as a list")
    if len(wordings) > WORDINGS:
        told = f"{len(wordings):,} wordings are more than {WORDINGS}."
        raise BadRequest(told, "put the words of one wording in quotes")
    texts = [*(("wording", one) for one in wordings), *(("tag", tag) for tag in tags), ("folder", folder or "")]
    for name, text in texts:
        if not isinstance(text, str):
            raise BadRequest(f"{name}: {text!r} is not a text.", "give it as a str")
        refuse_surrogates(name, text)
        if name == "tag" and not text.strip("# -/"):
            raise Refused(f"tag: {reveal(text)} names no tag.", "give one such as project, or -project to leave it out")


def as_json(found: Found, vault: str) -> dict[str, Any]:
    """Give what a search found for a program: the first wording, all of them, and each span with its text whole."""
    return {
        "query": found.queries[0] if found.queries else "",
        "queries": list(found.queries),
        "vault": vault,
        "exhausted": found.exhausted,
        "degraded": plain(found.degraded),
        "count": len(found.results),
        "undated": found.undated,
        "results": [_result(result) for result in found.results],
        "facts": plain(found.facts),
    }


def _result(result: Result) -> dict[str, Any]:
    fields = (field.name for field in attrs.fields(Result) if field.name != "words")
    told = {name: plain(getattr(result, name)) for name in fields}
    return told | {"also": list(result.also[:COPIES]), "copies": len(result.also)}


def advice(session: Session, asked: Question) -> str:
    """Say what to ask where nothing was found, as one sentence without its end."""
    within: dict[str, object] = {"scope_key": asked.scope_key}
    if not _any(session, "notes where scope_key = $scope_key", within):
        return "the vault has no note" if asked.scope_key == DEFAULT_SCOPE else "the scope has no note"
    for tag in asked.tags:
        bare = tag.strip().lstrip("#").strip("/")
        if not bare.startswith("-") and not _any(session, f"{_TAGS} and tag_key = $tag", {**within, "tag": key(bare)}):
            return f'no note has the tag "{bare}"'
    if asked.tags or asked.folder is not None or asked.since is not None or asked.until is not None:
        return "ask in other words, or with fewer conditions"
    return "ask in other words: `lore search` takes several wordings, each in quotes"


def _any(session: Session, relation: str, parameters: dict[str, object]) -> bool:
    return session.ask(f"select 1 from {relation} limit 1", parameters).fetchone() is not None
