"""Notes that stand alone: no other note links to them, and they link to none.

A note that stands below another by its name, as ``a.b`` below ``a``, is not alone, nor is one of a series. One of a few
words beside code and comments is missed by nobody. Where most notes stand alone, links are no habit of who keeps them,
and a list is no help.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from loreweave.reports.aside import DATED, SEVERAL, TIME, UNJOINED

if TYPE_CHECKING:
    from loreweave.store.session import Session

LEAST = 20
"""Words that a note has at least, beside code and comments, where it is to be missed."""

HABIT = 20
"""How many may stand alone, though they are most, before the list is given up."""

SMALL = 5
"""Notes of a folder at least, where those that stand alone in it are told in one line if they are most."""

_ORPHANS = rf"""
    with there as (
        select path, title, {DATED} as day, regexp_matches(path, '(?:' || $time || ')[^/]*$') as dated,
            regexp_replace(path, '[^/]*$', '') as folder
        from notes
        where scope_key = $scope_key and not starts_with(path, 'lore/') and not regexp_full_match(path, $aside)
    ),
    ends as (
        select path, target_path from links
        where scope_key = $scope_key and target_path is not null and target_path <> path
    ),
    joined as (select unnest([path, target_path]) as path from ends),
    by_others as (
        select unnest([path, target_path]) as path from ends
        anti join (from there where day) as one on one.path = ends.path
        anti join (from there where day) as other on other.path = target_path
    ),
    tagged as (
        select 'tags.' || tag_key as name from tags where scope_key = $scope_key
        union select 'user.' || lower(unnest(regexp_extract_all(text, '(?:^|[\s(])@([\w.-]*\w)', 1)))
        from spans where scope_key = $scope_key and contains(text, '@')
    ),
    lost as (
        select path, count(*) as links from links
        where scope_key = $scope_key and target_path is null and target <> '' and broken group by path
    ),
    said as (select path, sum(words)::bigint as words from spans where scope_key = $scope_key group by path),
    below as (
        select there.path from there join notes above on above.scope_key = $scope_key
            and above.path = regexp_replace(there.path, '(\.|___)[^./]*\.md$', '.md') and above.path <> there.path
    ),
    alone as (
        select path, title, dated, folder, words, path not in (from joined) as whole
        from there join said using (path) anti join by_others using (path) anti join below using (path)
        where words >= $least and not day
            and lower(parse_filename(path, true)) not in (from tagged)
    ),
    machine as (
        select path, len(regexp_extract_all(regexp_replace(
            string_agg(text, chr(10) order by start_line), '(?s)```.*?(```|\z)|%%.*?(%%|\z)', ' ', 'g'
        ), '[\x{{2e80}}-\x{{ffff}}]|[\pL\pN]+')) as prose
        from spans semi join alone using (path) where scope_key = $scope_key
        group by path having bool_or(contains(text, '```') or contains(text, '%%'))
    ),
    folders as (select folder, count(*) as notes from there group by folder)
    select path, title, coalesce(prose, words) as left_, coalesce(links, 0), whole, folder, notes,
        (select count(*) from there)
    from alone left join machine using (path) left join lost using (path) join folders using (folder)
    where left_ >= $least order by dated, left_ desc, path
"""
_LINKED = """
    select count(*) from links where scope_key = $scope_key and target_path is not null and target_path <> path
"""


@attrs.frozen
class Orphan:
    """A note without links from or to other notes; ``broken`` is how many of its links lead nowhere.

    Or a folder, its path ends with a stroke, in which ``alone`` of ``of`` notes are joined to none but notes of days;
    ``words`` are all of theirs.
    """

    path: str
    title: str
    words: int
    broken: int
    alone: int = 1
    of: int = 1


def orphans(session: Session, scope_key: str) -> list[Orphan] | str:
    """Give the notes of a scope that stand alone, the longest first; or say why there is no use in a list of them.

    Folders in which most do come last, those with the most of them first.
    """
    (linked,) = session.ask(_LINKED, {"scope_key": scope_key}).fetchone() or (0,)
    if not linked:
        return "no note links to another"
    asked = {"scope_key": scope_key, "aside": UNJOINED, "time": TIME, "several": SEVERAL, "least": LEAST}
    found = [(Orphan(*row[:4]), *row[4:]) for row in session.ask(_ORPHANS, asked).fetchall()]
    alone, of = sum(whole for _, whole, *_ in found), found[0][-1] if found else 0
    if alone > HABIT and 2 * alone > of:
        return f"{alone:,} of {of:,} notes stand alone"
    folders = defaultdict(list)
    for orphan, whole, folder, notes, _ in found:
        folders[folder, notes].append((orphan, whole))
    most = {folder: _folder(*folder, members) for folder, members in folders.items() if _is_habit(*folder, members)}
    single = [orphan for orphan, whole, folder, notes, _ in found if whole and (folder, notes) not in most]
    return single + sorted(most.values(), key=lambda each: (-each.alone, each.path))


def _is_habit(folder: str, notes: int, members: Sequence[tuple[Orphan, bool]]) -> bool:
    """Tell whether standing alone is what the notes of a folder do."""
    return folder != "" and notes >= SMALL and 2 * len(members) > notes and any(whole for _, whole in members)


def _folder(folder: str, notes: int, members: Sequence[tuple[Orphan, bool]]) -> Orphan:
    words, broken = sum(orphan.words for orphan, _ in members), sum(orphan.broken for orphan, _ in members)
    return Orphan(folder, "", words, broken, len(members), notes)
