"""Notes that stand alone: no other note links to them, and they link to none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from loreweave.reports.unlinked import TEMPLATES

if TYPE_CHECKING:
    from loreweave.store.session import Session

_ORPHANS = r"""
    with joined as (
        select unnest([path, target_path]) as path from links
        where scope_key = $scope_key and target_path is not null and target_path <> path
    ),
    lost as (
        select path, count(*) as links from links
        where scope_key = $scope_key and target_path is null and target <> '' and broken group by path
    ),
    said as (select path, sum(words)::bigint as words from spans where scope_key = $scope_key group by path)
    select path, title, coalesce(words, 0), coalesce(links, 0)
    from notes anti join joined using (path) left join said using (path) left join lost using (path)
    where scope_key = $scope_key and not starts_with(path, 'lore/') and not regexp_full_match(path, $templates)
    order by regexp_matches(path, '\d{4}-?\d{2}-?\d{2}[^/]*$'), coalesce(words, 0) desc, path
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


def orphans(session: Session, scope_key: str) -> list[Orphan] | None:
    """Give the notes of a scope that stand alone, the longest first and those of a day last.

    None where no note links to another at all.
    """
    (linked,) = session.ask(_LINKED, {"scope_key": scope_key}).fetchone() or (0,)
    if not linked:
        return None
    rows = session.ask(_ORPHANS, {"scope_key": scope_key, "templates": TEMPLATES}).fetchall()
    return [Orphan(*row) for row in rows]
