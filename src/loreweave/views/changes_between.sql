-- One row per belief begun or ended at a record instant r, earlier < r <= later; NULL leaves that side open.
create macro changes_between(earlier, later) as table
with bounds as (
    select
        coalesce(instant(earlier), '-infinity'::timestamp) as after,
        coalesce(instant(later), 'infinity'::timestamp) as upto
),
changes as (
    select 'began' as change, known_from as changed_at, beliefs.*
    from beliefs, bounds where after < known_from and known_from <= upto
    union all
    select 'ended' as change, known_until as changed_at, beliefs.*
    from beliefs, bounds where after < known_until and known_until <= upto
)
select
    change,
    changed_at as recorded_at,
    -- Of the events of the slot recorded then: the belief's own, else the one that set its end,
    -- else one that reaches its sub-slot, else the first by origin.
    (
        select arg_min(event_id, (
            event_id != changes.event_id,
            event_id is distinct from changes.ended_by,
            kind not in ('FactInvalidated', 'FactRetracted') and many != changes.many,
            changes.many and object_key != changes.object_key,
            path, line))
        from events
        where scope_key = changes.scope_key and subject_key = changes.subject_key
          and predicate_key = changes.predicate_key and recorded_at = changes.changed_at
          and kind in ('FactAsserted', 'FactInvalidated', 'FactRetracted', 'ValueObserved', 'ValueWithdrawn')
    ) as changed_by,
    changes.* exclude (change, changed_at)
from changes;
