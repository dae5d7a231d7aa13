"""Dated passages that name an entity: by a link, by a tag, by a name in their text, or in its own note.

A passage of another note is dated by itself, or else by its note; one of the entity's own note by itself alone. Of a
passage that speaks of several days each line that names the entity counts, at the last date above it. A line that only
states facts names nothing and is not told, nor are properties: the beliefs say it. But a property of the entity's own
note that is a day, such as a start, stands at that day: what is believed of it begins when it was written down.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import attrs

from loreweave.events.slots import key
from loreweave.notes.content_time import of_text
from loreweave.notes.plain import plain
from loreweave.notes.scan import scan
from loreweave.notes.when import read
from loreweave.reports.answer import aware
from loreweave.reports.brief import clipped
from loreweave.reports.entity import Entity
from loreweave.search.found import address
from loreweave.times import to_datetime

if TYPE_CHECKING:
    from loreweave.store.session import Session

LONGEST = 240
"""How many characters of a passage are told at most, and how long a value is that may be a day."""

_HALF = LONGEST // 2

_DAY = timedelta(days=1)
_SPOKEN = """
    with spoken as (
        select span_id from phrases where scope_key = $scope_key and list_contains($written, key)
        union
        select span_id from links join spans using (span_id)
        where links.scope_key = $scope_key and links.line >= start_line and (
            target_path = $path or target_id is null and broken and list_contains($keys, name_key(target_key)))
        union
        select span_id from (select path, line from tags
            where scope_key = $scope_key and list_contains($keys, name_key(tag_key))) as tagged
        asof join spans on spans.path = tagged.path and tagged.line >= start_line
    ),
    dated as (
        select spans.* from spans join notes using (path)
        where spans.scope_key = $scope_key and not (start_line = 1 and frontmatter <> '{}')
            and (span_id in (from spoken) and path is distinct from $path
                or path = $path and spans.content_from is distinct from notes.content_from)
    )
    select span_id, path, anchor, start_line, end_line, content_from, content_until,
        exists (from statements where path = dated.path and line between start_line and end_line) as states
    from dated
    where content_from is not null
      and ($since::timestamp is null or content_until > $since::timestamp)
      and ($until::timestamp is null or content_from < $until::timestamp)
    order by path, start_line, span_id
"""
_TEXTS = "select span_id, text from spans where span_id in (select unnest($spans::bigint[]))"
_DATES = """
    select line, predicate, object from statements
    where scope_key = $scope_key and path = $path and subject_key = title_key
        and form in ('property', 'list', 'inline field') and not regexp_full_match(predicate_key, $of_file)
        and regexp_matches(object, '\\d') and strlen(object) <= $longest
    order by line, predicate, object
"""
_OF_FILE = r"(date[\s_-]*)?(created|modified|updated|changed)([\s_-]*(at|on|time|date))?|(last|creation|mod)\b.*"
"""Properties that date the file, and nothing that it is about."""
_STATED = "select path, list(line) from statements where path in (select unnest($paths::varchar[])) group by path"
_BULLET = re.compile(r"\A(?:(?:[-*+]|[0-9]+[.)]|>)[ \t]+)+(?:\[.\][ \t]+)?")
_fields = re.compile(r"[\[(][^\[\]()]+::[^\[\]()]*[\])]").sub
"""Fields in brackets, which may stand within prose."""
_HEADING = r" {0,3}#{1,6}(?:\s|$)"
_is_heading = re.compile(_HEADING).match
_is_mark = re.compile(rf"{_HEADING}|\s*(?:```|~~~)").match
"""What begins a line that says nothing by itself: a heading, or the fence round a code block."""


@attrs.frozen
class Mention:
    """A dated passage that names an entity: the time it speaks of, ``until`` excluded, its place and what it says.

    ``text`` is the line that names it, or else the first, cut where it is long; and the one that says when, where that
    is another.
    ``address`` is ``path#anchor:start-end``.
    """

    kind: str
    at: datetime
    until: datetime
    path: str
    anchor: str
    start_line: int
    end_line: int
    address: str
    text: str


class Mentions:
    """The dated passages that name an entity. Only those that speak of several days, or state facts, are read whole."""

    def __init__(self, session: Session, entity: Entity) -> None:
        self._session, self._entity = session, entity
        self._names = _pattern(entity.keys), _pattern(entity.initials)
        self._spans: dict[Mention, tuple[int, int]] = {}
        self._prose: dict[int, list[str]] = {}

    def find(self, scope_key: str, since: datetime | None, until: datetime | None) -> Iterator[Mention]:
        """Give the passages that speak of a window of time, without what they say."""
        given = {
            "scope_key": scope_key,
            "path": self._entity.path,
            "keys": sorted(self._entity.keys),
            "written": sorted(self._entity.keys | self._entity.initials),
            "since": since and since.replace(tzinfo=None),
            "until": until and until.replace(tzinfo=None),
        }
        found = list(self._of_passages(given, since, until))
        yield from found
        own = [mention for mention in found if mention.path == self._entity.path]
        for mention in self._dates(scope_key):
            is_told = any(
                each.at == mention.at and each.start_line <= mention.start_line <= each.end_line for each in own
            )
            if not is_told and _meets(mention, since, until):
                yield mention

    def _of_passages(
        self, given: Mapping[str, object], since: datetime | None, until: datetime | None
    ) -> Iterator[Mention]:
        rows = [aware(row) for row in self._session.ask(_SPOKEN, given).fetchall()]
        texts = self._texts(row[0] for row in rows if row[-1] or row[6] - row[5] > _DAY)
        stated = self._stated({row[1] for row in rows if row[-1]})
        for span_id, path, anchor, start, end, dated_from, dated_until, states in rows:
            lines = texts.get(span_id, "").split("\n")
            if states:
                only = {
                    at for at in stated[path] & {*range(start, start + len(lines))} if _only_states(lines[at - start])
                }
                if not self._is_told(lines, _without(only, lines, start), path == self._entity.path):
                    continue
                undated = {at for at in only if "[fact]" in (said := lines[at - start]) or not of_text(said)}
                lines = self._prose[span_id] = _without(undated, lines, start)
            whole = Mention("passage", dated_from, dated_until, path, anchor, start, end, "", "")
            for found in self._parts(whole, lines) if dated_until - dated_from > _DAY else (whole,):
                if _meets(found, since, until) and found not in self._spans:
                    self._spans[found] = span_id, found.start_line - start
                    yield found

    def _is_told(self, lines: Sequence[str], prose: Sequence[str], is_own: bool) -> bool:
        """Tell whether a passage says something beside the facts that it states, and names the entity there."""
        if all(not line.strip() or _is_heading(line) for line in prose):
            return False
        return is_own or any(map(self._is_named, prose)) or not any(map(self._is_named, lines))

    def read(self, found: Sequence[Mention]) -> dict[Mention, Mention]:
        """Give these passages with their addresses and what they say."""
        spans = {mention: self._spans[mention] for mention in found if not mention.text}
        texts = self._texts(span_id for span_id, _ in spans.values())
        lines = {span_id: text.split("\n") for span_id, text in texts.items()} | self._prose
        told = {mention: self._told(mention, lines[span_id][first:]) for mention, (span_id, first) in spans.items()}
        return {mention: told.get(mention, mention) for mention in found}

    def _dates(self, scope_key: str) -> Iterator[Mention]:
        """Give what the entity's own note has under a property that is a day, or a time of days."""
        asked = {"scope_key": scope_key, "path": self._entity.path, "longest": LONGEST, "of_file": _OF_FILE}
        for line, predicate, value in self._session.ask(_DATES, asked).fetchall():
            dated, path = _day_of(value), str(self._entity.path)
            if dated:
                place = address(path, "", line, line)
                yield Mention("passage", *dated, path, "", line, line, place, f"{predicate}: {value}")

    def _parts(self, whole: Mention, lines: Sequence[str]) -> Iterable[Mention]:
        """Give of a passage of several days the first line of each that names the entity; else all of it."""
        at, until, parts = whole.at, whole.until, dict[datetime, Mention]()
        prose = plain(scan("\n".join(lines), from_top=False)).split("\n")
        for number, (line, said) in enumerate(zip(lines, prose, strict=True), whole.start_line):
            if dated := of_text(said):
                at, until = to_datetime(dated.from_), to_datetime(dated.until)
            if self._is_named(line) or (dated and whole.path == self._entity.path):
                part = attrs.evolve(whole, at=at, until=until, start_line=number, end_line=number)
                parts.setdefault(at, part)
        return parts.values() or (whole,)

    def _is_named(self, line: str) -> bool:
        keys, initials = self._names
        return bool((keys and keys.search(key(line))) or (initials and initials.search(line)))

    def _told(self, mention: Mention, lines: Sequence[str]) -> Mention:
        lines = [line for line in lines[: mention.end_line - mention.start_line + 1] if line.strip()]
        prose = [_BULLET.sub("", line.strip(), count=1) for line in lines if not _is_mark(line)]
        told = self._telling(prose, mention.path == self._entity.path) or mention.anchor
        place = address(mention.path, mention.anchor, mention.start_line, mention.end_line)
        return attrs.evolve(mention, address=place, text=clipped(told, LONGEST))

    def _telling(self, prose: Sequence[str], is_own: bool) -> str:
        """Give the line that names the entity and says when; else the one that names it, and then the one that says it.

        Without the latter, what is told would read as if it had been so then. In its own note no line need name it.
        """
        named, dated = list(filter(self._is_named, prose)), list(filter(of_text, prose))
        both = next((line for line in named if line in dated), None)
        told = both or next(iter(named or (is_own and dated) or prose), "")
        return (
            f"{told[:_HALF]}{'…' if len(told) > _HALF else ' …'} {dated[0]}" if named and dated and not both else told
        )

    def _texts(self, spans: Iterable[int]) -> dict[int, str]:
        wanted = sorted(set(spans))
        return dict(self._session.ask(_TEXTS, {"spans": wanted}).fetchall()) if wanted else {}

    def _stated(self, paths: set[str]) -> dict[str, set[int]]:
        """Give the lines of notes that state facts."""
        return {path: set(lines) for path, lines in self._session.ask(_STATED, {"paths": sorted(paths)}).fetchall()}


def _day_of(value: str) -> tuple[datetime, datetime] | None:
    """Give the time of days that a value is; None for one that is something else, or a year and no more."""
    try:
        meant = read(value) if of_text(value) else None
    except ValueError:
        return None
    return (to_datetime(meant.from_), to_datetime(meant.until)) if meant else None


def _meets(mention: Mention, since: datetime | None, until: datetime | None) -> bool:
    """Say whether it speaks of a part of a window of time."""
    return (since is None or since < mention.until) and (until is None or mention.at < until)


def _without(some: set[int], lines: Sequence[str], start: int) -> list[str]:
    """Leave some lines blank, by their numbers."""
    return ["" if at in some else line for at, line in enumerate(lines, start)]


def _only_states(line: str) -> bool:
    """Tell whether a line that states a fact says nothing beside it."""
    beside = _fields("", line)
    return beside == line or "::" in beside or re.search(r"\w", beside) is None


def _pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    """Compile what finds names in a text; one in signs that are written without blanks may stand beside any other."""
    longest = sorted(filter(None, names), key=lambda name: (-len(name), name))
    forms = (rf"(?<!\w){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name) for name in longest)
    return re.compile("|".join(forms)) if longest else None
