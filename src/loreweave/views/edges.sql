-- The graph of entities: what links, tags, names, current beliefs, aliases and standing in one passage join.
create view edges as
with known as materialized (from entities),
spoken as materialized (from mentions),
note as (select entity_key as from_key, path, scope_key from known where kind = 'note'),
together as (
    select distinct entity_key, span_id, scope_key from spoken where kind <> 'tag'
    qualify count(distinct entity_key) over (partition by span_id) <= 12
)
select distinct from_key, entity_key as to_key, if(kind = 'link', 'link', 'mention') as kind,
    if(kind = 'link', 1.0, 0.7)::double as weight, scope_key
from spoken join note using (path, scope_key) where entity_key <> from_key
union all
select distinct from_key, from_key, 'link', 1.0, scope_key
from links join note using (path, scope_key) where target_path = path and target <> ''
union all
select distinct name_key(subject_key), entity_key, 'fact', 1.0, beliefs.scope_key
from beliefs join known on entity_key = name_key(object_key) and known.scope_key = beliefs.scope_key
where known_until is null and valid_until is null and name_key(subject_key) <> entity_key
union all
select entity_key, from_key, 'same-as', 0.9, scope_key
from known join note using (path, scope_key) where kind in ('alias', 'acronym')
union all
select distinct one.entity_key, other.entity_key, 'co-occurrence', 0.4, scope_key
from together one join together other using (span_id, scope_key) where one.entity_key < other.entity_key;
