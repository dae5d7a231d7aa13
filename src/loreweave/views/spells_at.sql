-- The whole valid history as believed at as_known_at: beliefs of one slot and equal object joined where they touch or overlap.
create macro spells_at(as_known_at) as table
with said_at as (
    select scope_key, subject_key, predicate_key, event_id, recorded_at, valid_from as starts from events
),
known as (
    select
        scope_key, subject_key, predicate_key, object_key, valid_from,
        coalesce(valid_until, 'infinity'::timestamp) as ends,
        -- Compared field by field: the greatest is the latest recorded, then the latest to start, then by origin.
        struct_pack(recorded_at, starts, path, line, event_id,
            scope, subject, predicate, object, source, confidence) as said
    from beliefs join said_at using (scope_key, subject_key, predicate_key, event_id),
        (select coalesce(instant(as_known_at), 'infinity'::timestamp) as asked_from) as moment
    where known_from <= asked_from and (known_until is null or asked_from < known_until)
),
opened as (
    select *, valid_from > max(ends) over (slot rows between unbounded preceding and 1 preceding) as apart
    from known
    window slot as (partition by scope_key, subject_key, predicate_key, object_key order by valid_from, ends)
),
numbered as (
    select *, count(*) filter (apart) over (
        partition by scope_key, subject_key, predicate_key, object_key order by valid_from, ends) as spell
    from opened
),
joined as (
    select
        scope_key, subject_key, predicate_key, object_key,
        min(valid_from) as starts, nullif(max(ends), 'infinity'::timestamp) as ends, max(said) as latest
    from numbered
    group by scope_key, subject_key, predicate_key, object_key, spell
)
select
    latest.scope, latest.subject, latest.predicate, latest.object,
    scope_key, subject_key, predicate_key, object_key, starts as valid_from, ends as valid_until,
    latest.source, latest.confidence, latest.event_id, latest.path, latest.line
from joined;
