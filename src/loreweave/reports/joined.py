"""Groups of subjects or objects by what they name: the names of one note, in either number, are one group.

It is what ``reports/entity.py`` says of one name, for all names at once. An object counts as a name beside another
number of it only where it is written as one: "new" is no "News".
"""

from __future__ import annotations

from loreweave.reports.entity import PLURALS

_SINGULARS = "[{}]".format(
    ", ".join(
        f"case when regexp_matches({{name}}, '{plural}') then regexp_replace({{name}}, '{plural}', '{singular}') end"
        for plural, singular in PLURALS
    )
)
"""The keys that a name may have in the singular, NULL where a rule has none for it."""

_IS_NAME = r"regexp_full_match({text}[:80], '(\[\[|\p{{Lu}})[^\s.:;!?]*(\s+[^\s:;!?]+){{0,4}}')"
"""What the view ``entities`` takes for the name of something."""

GROUPS = f"""
    with spells as (
        select {{key}} as spelled, {{text}} as written, name_key({{key}}) as name from spells_at($known)
        where {{where}}
          and ($since::timestamp is null or $since::timestamp <= valid_from)
          and ($until::timestamp is null or valid_from < $until::timestamp)
    ),
    counted as (
        select spelled, name, count(*) as spells, bool_and(written = upper(written)) as is_upper,
            bool_or({{is_name}}) as is_name
        from spells group by spelled, name
    ),
    named as (from called where scope_key = $scope_key),
    alone as (
        select entity_key as name, path from named
        qualify rank() over (partition by entity_key order by kind = 'alias', kind = 'title') = 1
            and count(*) over (partition by entity_key, kind) = 1
    ),
    lettered as (
        select lower(initials) as name, min(path) as path from named
        where initials is not null group by initials having count(distinct path) = 1
    ),
    other_number as (
        select name, min(path) as path
        from (select unnest({_SINGULARS.format(name="name")}) as name, path from alone)
        where name is not null and name not in (select entity_key from named)
        group by name having count(distinct path) = 1
    ),
    forms as (
        select spelled, unnest({_SINGULARS.format(name="name")}) as singular, generate_subscripts([1, 2, 3], 1) as rank
        from counted where is_name and name not in (select entity_key from named)
    ),
    singular as (
        select spelled, arg_min(coalesce(alone.path, ''), rank) as path, arg_min(singular, rank) as name
        from forms left join alone on alone.name = singular
        where singular is not null and (alone.path is not null
            or singular in (select name from counted) and singular not in (select entity_key from named))
        group by spelled
    ),
    joined as (
        select counted.spelled, counted.spells, coalesce(
            'note ' || coalesce(alone.path, if(is_upper, lettered.path, null), nullif(singular.path, ''),
                if(is_name, other_number.path, null)),
            singular.name, counted.name) as meant
        from counted left join alone using (name) left join lettered using (name)
        left join other_number using (name) left join singular using (spelled)
    ),
    groups as (
        select min(spelled) as key, list(spelled order by spelled) as spelled, sum(spells)::bigint as spells
        from joined group by meant
    )
    select spelled, spells, count(*) over (), sum(spells) over ()::bigint
    from groups order by spells desc, key limit $limit
"""
"""Rows of a group: the keys in it, how many spells it has, how many groups there are, and how many spells in all."""

FIRST = """
    with asked as (
        select unnest($spelled::varchar[][]) as spelled, generate_subscripts($spelled::varchar[][], 1) as number
    ),
    members as (select number, unnest(spelled) as spelled from asked)
    select arg_min({text}, (recorded_at, path, line))
    from events join members on spelled = {key}
    where {where} and kind in ('FactAsserted', 'ValueObserved')
      and ($known::timestamp is null or recorded_at <= $known::timestamp)
    group by number order by number
"""
"""How each of these groups was written first."""


def groups_sql(column: str, where: str) -> str:
    """Give the question that makes the groups of ``subject`` or ``object``, under a condition."""
    is_name = "true" if column == "subject" else _IS_NAME.format(text="written")
    return GROUPS.format(key=f"{column}_key", text=column, where=where, is_name=is_name)


def first_sql(column: str, where: str) -> str:
    """Give the question that finds how the groups were written first."""
    return FIRST.format(key=f"{column}_key", text=column, where=where)
