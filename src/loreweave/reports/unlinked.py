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
from collections.abc import Iterable, Sequence
from statistics import median
from typing import TYPE_CHECKING

import attrs

from loreweave.reports.aside import UNJOINED, is_series

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

_PAIRS = """
    with known as materialized (
        select entity_key, coalesce(path, entity_key) as entity, name, kind, path from entities
        where scope_key = $scope_key and kind <> 'tag' and not regexp_full_match(entity_key, '[\\d\\s./:w-]*')
    ),
    prose as (
        select spans.span_id, spans.path, spans.start_line, name_key(lower(anchor)) as heading
        from spans join notes using (path)
        where spans.scope_key = $scope_key and not (start_line = 1 and frontmatter <> '{}')
            and not regexp_full_match(path, $aside)
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
            and (target_path is not null or target_id is null and broken)
    ),
    named as (
        select prose.path, entity from phrases join known on key = entity_key join prose using (span_id)
        where phrases.scope_key = $scope_key and key <> heading and regexp_matches(key, $telling)
    ),
    spoken as (
        select path, entity from (from linked_to union from named)
        where entity <> path and entity in (select entity from known)
        union select path, path from known where kind = 'note' and not regexp_full_match(path, $aside)
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
    called as (select entity, arg_min(name, (kind <> 'note', name)) as name from known group by entity),
    pairs as (
        select a.path as one, b.path as other, sum(a.idf * b.idf) as common,
            list(name order by a.idf desc, entity) as names, md5(string_agg(entity, chr(31) order by entity)) as family
        from rare a join rare b using (entity) join called using (entity) where a.path < b.path
        group by all having count(*) >= 2
    ),
    linked as (select distinct path, target_path from links where scope_key = $scope_key and target_path is not null),
    unlinked as (
        select pairs.* from pairs
        anti join linked there on there.path = one and there.target_path = other
        anti join linked back on back.path = other and back.target_path = one
    )
    select one, other, round(common / (mine.norm * theirs.norm), 6), len(names), names[:$named], family
    from unlinked join norms mine on mine.path = one join norms theirs on theirs.path = other
    order by 3 desc, one, other
"""


_ASKED = {
    "few": FEW,
    "rare": RARE,
    "telling": TELLING,
    "pairs": PAIRS,
    "most": MOST,
    "named": NAMED,
    "aside": UNJOINED,
}


@attrs.frozen
class Unlinked:
    """Two notes without a link between them, and how much they have in common, from 0 to 1.

    ``things`` are the rarest of the ``of`` rare things that both speak of.
    """

    one: str
    other: str
    likeness: float
    of: int
    things: tuple[str, ...]

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
    for one, other, likeness, count, things, family in pairs:
        if likeness < least or max(told[one], told[other]) >= EACH or shared[one] & shared[other]:
            continue
        if family in families or is_series((one, other)):
            continue
        families.add(family)
        told.update((one, other))
        found.append(Unlinked(one, other, round(likeness, 2), count, tuple(things)))
    return found
