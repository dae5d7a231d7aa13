"""Notes that speak of the same rare things and do not link to each other.

A note speaks of what its text links to and of what it names in so many words. Tags and properties are no text: they
say of which kind a note is, and notes of one kind are many. Nor is a heading, which forms give to many notes.
A thing is rare that two notes or a few more speak of; what half the vault speaks of joins nothing, and costs nothing.
Of each note the rarest things count, so that a note that lists everything is held against few. How much two notes have
in common is the cosine of what they speak of, by rarity: long notes have much in common with every other, and weigh
the less for it. What is told stands out from what any two notes here have in common.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING

import attrs

from loreweave.reports.aside import DATED, SEVERAL, TIME, UNJOINED, is_series

if TYPE_CHECKING:
    from loreweave.store.session import Session

FEW, RARE = 5, 30
"""In how many notes a thing is spoken of at most, to be rare: in one of a hundred, but at least and at most these."""

TELLING = r"\w\W+\w|[\x{2e80}-\x{ffff}]{4}"
"""Which names in plain text mean what is called so: those of two words, or four signs of a script without blanks."""

PAIRS = 500_000
"""How many pairs of notes are looked at: where links are dense, a thing must be the rarer."""

MOST = 24
"""How many things of a note are looked at, the rarest first."""

LEAST = 0.2
"""How much two notes have in common at least, from 0 to 1."""

MANY = 20
"""From how many pairs on only those are told that stand out."""

OUTSTANDING = 2.0
"""How many times as much as the median pair a pair that stands out has in common."""

EACH = 3
"""How many pairs of one note are told at most."""

NAMED = 3
"""How many of the things in common are named."""

PROPERTIES = r"\A(?:[^\s:][^:\n]*::(?:[ \t][^\n]*)?(?:\n|\z))+"
"""The properties that a note begins with, as an outliner writes them."""

QUERIES = r"(?si)#\+begin_query.*?(?:#\+end_query|\z)|\{\{query .*?\}\}"
"""What an outliner asks for in a note, which is code."""

_PAIRS = rf"""
    with known as materialized (
        select entity_key, coalesce(path, entity_key) as entity, name, kind, path from entities
        where scope_key = $scope_key and kind <> 'tag' and not regexp_full_match(entity_key, '[\d\s./:w-]*')
    ),
    own as (
        select distinct path, target_path from links
        where scope_key = $scope_key and target_path is not null and target_path <> path
    ),
    there as (
        select path, frontmatter, {DATED} as dated, regexp_replace(path, '[^/]*$', '') as folder,
            count(*) over (partition by folder) - 1 as others
        from notes where scope_key = $scope_key and not regexp_full_match(path, $aside)
    ),
    lists as (
        select path from own join there using (path)
        where starts_with(target_path, folder) and not contains(target_path[len(folder) + 1 :], '/')
        group by path having count(*) >= greatest($several, any_value(others) / 2)
        union all
        select above.path from (
            select path, path[: len(path) - 3] as name, count(*) as linked from own
            where starts_with(target_path, name) and regexp_matches(target_path[len(name) + 1 :], '^(\.|___|/)')
                and target_path <> path
            group by path having linked >= $several
        ) as above join there as below
            on starts_with(below.path, name) and regexp_matches(below.path[len(name) + 1 :], '^(\.|___|/)')
                and below.path <> above.path
        group by above.path having any_value(linked) >= count(*) / 2
    ),
    quiet as (from lists union select path from there where dated),
    prose as (
        select spans.span_id, spans.path, spans.start_line, name_key(lower(anchor)) as heading,
            if(start_line = 1 and regexp_matches(text, $properties) or regexp_matches(text, $queries),
                regexp_replace(regexp_replace(text, $properties, ''), $queries, ' ', 'g'), null) as said
        from spans join there using (path)
        where scope_key = $scope_key and not (start_line = 1 and frontmatter <> '{{}}')
    ),
    filed as (
        select path, line from statements
        where scope_key = $scope_key and form in ('property', 'list', 'inline field')
    ),
    bound as (select greatest($few, least($rare, count(*) // 100)) as most from notes where scope_key = $scope_key),
    linked_to as (
        select links.path, coalesce(target_path, name_key(target_key)) as entity
        from links join prose using (span_id) anti join filed on filed.path = links.path and filed.line = links.line
        where links.scope_key = $scope_key and links.line >= start_line and style <> 'image'
            and (said is null or contains(said, links.target))
            and (target_path is not null or target_id is null and broken)
    ),
    named as (
        select prose.path, entity from phrases join known on key = entity_key join prose using (span_id)
        where phrases.scope_key = $scope_key and key <> heading and regexp_matches(key, $telling)
            and (said is null or contains(lower(said), key))
    ),
    spoken as (
        select path, entity from (from linked_to union from named)
        where entity <> path and entity in (select entity from known)
        union select path, path from known where kind = 'note' and path in (select path from there)
    ),
    notes_of as (select entity, count(*) as df from spoken group by entity),
    costs as (select df, sum(count(*) * df * (df - 1) / 2) over (order by df) as pairs from notes_of group by df),
    held as (
        select path, entity, df, ln((select count(*) from notes where scope_key = $scope_key) / df) + 1 as idf
        from spoken join notes_of using (entity)
    ),
    norms as (select path, sqrt(sum(idf * idf)) as norm from held group by path),
    rare as (
        select path, entity, idf from held
        where df between 2 and (select max(df) from costs where df <= (from bound) and (df = 2 or pairs <= $pairs))
        qualify row_number() over (partition by path order by df, entity) <= $most
    ),
    pairs as (
        select a.path as one, b.path as other, sum(a.idf * b.idf) as common,
            list(entity order by a.idf desc, entity) as things,
            md5(string_agg(entity, chr(31) order by entity)) as family
        from rare a join rare b using (entity) where a.path < b.path
        group by all having count(*) >= 2
    ),
    unlinked as (
        select pairs.* from pairs
        anti join own there on there.path = one and there.target_path = other
        anti join own back on back.path = other and back.target_path = one
    )
    select one, other, round(common / (mine.norm * theirs.norm), 6), things, family,
        exists (from quiet where path in (one, other))
    from unlinked join norms mine on mine.path = one join norms theirs on theirs.path = other
    order by 3 desc, one, other
"""
_WRITTEN = r"""
    select path, entity, arg_min(written, (not links, written)), bool_or(links) from (
        select path, coalesce(target_path, name_key(target_key)) as entity, true as links,
            if(style in ('wiki', 'embed'), target, regexp_extract(target, '([^/]*?)(\.md)?$', 1)) as written
        from links where scope_key = $scope_key and style <> 'image'
        union all
        select spans.path, coalesce(entities.path, entity_key), false, name
        from phrases join entities on key = entity_key join spans using (span_id)
        where phrases.scope_key = $scope_key and entities.scope_key = $scope_key
        union all select path, path, false, title from notes where scope_key = $scope_key
    ) semi join (select unnest($paths) as path) using (path) semi join (select unnest($things) as entity) using (entity)
    group by all
"""


_ASKED = {
    "few": FEW,
    "rare": RARE,
    "telling": TELLING,
    "pairs": PAIRS,
    "most": MOST,
    "aside": UNJOINED,
    "time": TIME,
    "several": SEVERAL,
    "properties": PROPERTIES,
    "queries": QUERIES,
}


@attrs.frozen
class Unlinked:
    """Two notes without a link between them, and how much they have in common, from 0 to 1.

    ``things`` are the rarest of the ``of`` rare things that both speak of, as the first writes them. ``linked`` is
    whether both link to all of these, ``named`` whether one of the notes names the other.
    """

    one: str
    other: str
    likeness: float
    of: int
    things: tuple[str, ...]
    linked: bool
    named: bool

    @property
    def shown(self) -> int:
        """The number of things named."""
        return len(self.things)


def unlinked(session: Session, scope_key: str, copies: Iterable[Sequence[str]] = ()) -> list[Unlinked]:
    """Give the pairs of notes of a scope that might link to each other, those with most in common first.

    ``copies`` are notes that say the same: what these have in common is known, and no reason to link. Of notes that
    all speak of the same things, as those of one kind do, the first pair is told.
    """
    pairs = session.ask(_PAIRS, {"scope_key": scope_key, **_ASKED}).fetchall()
    shared = defaultdict(set)
    for number, notes in enumerate(copies):
        for path in notes:
            shared[path].add(number)
    least = max(LEAST, OUTSTANDING * median(pair[2] for pair in pairs)) if len(pairs) >= MANY else LEAST
    told: Counter[str] = Counter()
    families: set[str] = set()
    found = []
    for one, other, likeness, things, family, quiet in pairs:
        if quiet or likeness < least or max(told[one], told[other]) >= EACH or shared[one] & shared[other]:
            continue
        if family in families or is_series((one, other)):
            continue
        families.add(family)
        told.update((one, other))
        found.append((one, other, likeness, things))
    return [*_named(session, scope_key, found)]


def _named(session: Session, scope_key: str, pairs: Sequence[tuple[str, str, float, list[str]]]) -> Iterator[Unlinked]:
    """Name what the notes of each pair have in common as it stands in them."""
    paths = sorted({path for one, other, *_ in pairs for path in (one, other)})
    asked = {"scope_key": scope_key, "paths": paths, "things": sorted({each for pair in pairs for each in pair[3]})}
    rows = session.ask(_WRITTEN, asked).fetchall() if pairs else []
    written = {(path, thing): (name, links) for path, thing, name, links in rows}
    for one, other, likeness, things in pairs:
        both = [thing for thing in things if thing not in (one, other)]
        names = tuple(written[one, thing][0] for thing in both[:NAMED])
        links = all(written[path, thing][1] for path in (one, other) for thing in both[:NAMED])
        yield Unlinked(one, other, round(likeness, 2), len(both), names, links, len(both) < len(things))
