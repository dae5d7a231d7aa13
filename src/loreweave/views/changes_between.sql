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
),
-- What set the new end of a claim whose belief ended.
cuts as (
    select scope_key, event_id, changed_at, min(ended_by) as cut_by
    from changes where change = 'began' group by scope_key, event_id, changed_at
)
select
    change,
    changed_at as recorded_at,
    -- Of the events of the slot recorded then that reach the belief: its own, else the one that set its end, old or
    -- new, else the first by origin. No note moves a statement, and no line of one object a many claim of another.
    (
        select arg_min(event_id, (
            event_id != changes.event_id, event_id not in (coalesce(changes.ended_by, ''), coalesce(cut_by, '')),
            coalesce(object_key != changes.object_key, false), path, line))
        from events
        where scope_key = changes.scope_key and subject_key = changes.subject_key
          and predicate_key = changes.predicate_key and recorded_at = changes.changed_at
          and (kind in ('FactInvalidated', 'FactRetracted')
            or kind in ('FactAsserted', 'ValueObserved', 'ValueWithdrawn') and many = changes.many)
          and not coalesce(changes.many and object_key != changes.object_key, false)
          and (changes.source = 'extracted' or kind != 'ValueWithdrawn' and coalesce(source, '') != 'extracted')
    ) as changed_by,
    changes.* exclude (change, changed_at)
from changes left join cuts using (scope_key, event_id, changed_at);
