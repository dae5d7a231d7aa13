"""Notes that speak of the same rare things and do not link to each other.

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

if TYPE_CHECKING:
    from loreweave.store.session import Session

RARE = 30
"""In how many notes a thing is spoken of at most, to be rare."""

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

TEMPLATES = "(?i)(.*/)?[^/\\w]*templates?/.*"
"""Where what new notes are made from stands: it is like every note made from it, and alone by its nature."""

NAMED = 5
"""How many of the things in common are named."""

_PAIRS = """
    with known as materialized (
        select entity_key, coalesce(path, entity_key) as entity, name, kind, path from entities
        where scope_key = $scope_key and not regexp_full_match(entity_key, '[\\d\\s./:w-]*')
    ),
    spoken as (
        select distinct mentions.path, entity from mentions join known using (entity_key)
        where mentions.scope_key = $scope_key and known.path is distinct from mentions.path
            and not regexp_full_match(mentions.path, $templates)
        union select path, path from known where kind = 'note' and not regexp_full_match(path, $templates)
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
        where df between 2 and (select max(df) from costs where df <= $rare and (df = 2 or pairs <= $pairs))
        qualify row_number() over (partition by path order by df, entity) <= $most
    ),
    called as (select entity, arg_min(name, (kind <> 'note', name)) as name from known group by entity),
    pairs as (
        select a.path as one, b.path as other, sum(a.idf * b.idf) as common,
            list(name order by a.idf desc, entity) as names
        from rare a join rare b using (entity) join called using (entity) where a.path < b.path
        group by all having count(*) >= 2
    ),
    linked as (select distinct path, target_path from links where scope_key = $scope_key and target_path is not null),
    unlinked as (
        select pairs.* from pairs
        anti join linked there on there.path = one and there.target_path = other
        anti join linked back on back.path = other and back.target_path = one
    )
    select one, other, round(common / (mine.norm * theirs.norm), 6), len(names), names[:$named]
    from unlinked join norms mine on mine.path = one join norms theirs on theirs.path = other
    order by 3 desc, one, other
"""


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
    asked = {"scope_key": scope_key, "rare": RARE, "pairs": PAIRS, "most": MOST, "named": NAMED, "templates": TEMPLATES}
    pairs = session.ask(_PAIRS, asked).fetchall()
    shared = defaultdict(set)
    for number, notes in enumerate(copies):
        for path in notes:
            shared[path].add(number)
    least = max(LEAST, OUTSTANDING * median(pair[2] for pair in pairs)) if len(pairs) >= MANY else LEAST
    told: Counter[str] = Counter()
    families: set[tuple[str, ...]] = set()
    found = []
    for one, other, likeness, count, things in pairs:
        if likeness < least or max(told[one], told[other]) >= EACH or shared[one] & shared[other]:
            continue
        if (family := (*sorted(things), str(count))) in families:
            continue
        families.add(family)
        told.update((one, other))
        found.append(Unlinked(one, other, round(likeness, 2), count, tuple(things)))
    return found
