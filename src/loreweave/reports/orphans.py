"""Notes that stand alone: no other note links to them, and they link to none.

A note that stands below another by its name, as ``a.b`` below ``a``, is not alone, nor is one of a series. One of a few
words beside code and comments is missed by nobody. Where most notes stand alone, links are no habit of who keeps them,
and a list is no help.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from loreweave.reports.aside import SEVERAL, TIME, UNJOINED

if TYPE_CHECKING:
    from loreweave.store.session import Session

LEAST = 20
"""Words that a note has at least, beside code and comments, where it is to be missed."""

HABIT = 20
"""How many may stand alone, though they are most, before the list is given up."""

_ORPHANS = r"""
    with joined as (
        select unnest([path, target_path]) as path from links
        where scope_key = $scope_key and target_path is not null and target_path <> path
    ),
    lost as (
        select path, count(*) as links from links
        where scope_key = $scope_key and target_path is null and target <> '' and broken group by path
    ),
    said as (select path, sum(words)::bigint as words from spans where scope_key = $scope_key group by path),
    there as (
        select path, title, regexp_matches(path, '(?:' || $time || ')[^/]*$') as dated,
            count(*) over (partition by regexp_replace(path, '\d+', '0', 'g')) as alike
        from notes
        where scope_key = $scope_key and not starts_with(path, 'lore/') and not regexp_full_match(path, $aside)
    ),
    alone as (
        select path, title, dated, words from there anti join joined using (path) join said using (path)
            anti join notes above on above.scope_key = $scope_key
                and above.path = regexp_replace(there.path, '(\.|___)[^./]*\.md$', '.md') and above.path <> there.path
        where words >= $least
            and not (dated and (alike >= $several or regexp_full_match(path, '(.*/)?[\d\W_]*\.md')))
    ),
    machine as (
        select path, len(regexp_extract_all(regexp_replace(
            string_agg(text, chr(10) order by start_line), '(?s)```.*?(```|\z)|%%.*?(%%|\z)', ' ', 'g'
        ), '[\x{2e80}-\x{ffff}]|[\pL\pN]+')) as prose
        from spans semi join alone using (path) where scope_key = $scope_key
        group by path having bool_or(contains(text, '```') or contains(text, '%%'))
    )
    select path, title, coalesce(prose, words) as left_, coalesce(links, 0), (select count(*) from there)
    from alone left join machine using (path) left join lost using (path)
    where left_ >= $least order by dated, left_ desc, path
"""
_LINKED = """
    select count(*) from links where scope_key = $scope_key and target_path is not null and target_path <> path
"""


@attrs.frozen
class Orphan:
    """A note without links from or to other notes; ``broken`` is how many of its links lead nowhere."""

    path: str
    title: str
    words: int
    broken: int


def orphans(session: Session, scope_key: str) -> list[Orphan] | str:
    """Give the notes of a scope that stand alone, the longest first; or say why there is no use in a list of them."""
    (linked,) = session.ask(_LINKED, {"scope_key": scope_key}).fetchone() or (0,)
    if not linked:
        return "no note links to another"
    asked = {"scope_key": scope_key, "aside": UNJOINED, "time": TIME, "several": SEVERAL, "least": LEAST}
    rows = session.ask(_ORPHANS, asked).fetchall()
    if len(rows) > HABIT and 2 * len(rows) > rows[0][-1]:
        return f"{len(rows):,} of {rows[0][-1]:,} notes stand alone"
    return [Orphan(*row[:-1]) for row in rows]
