-- Which event a later value ended, since when that is known: updates where the value changed, extends where it stayed equal.
create view supersessions as
select
    beliefs.event_id,
    beliefs.ended_by as next_event_id,
    case when beliefs.object_key = events.object_key then 'extends' else 'updates' end as kind,
    min(beliefs.known_from) as recorded_at,
    beliefs.scope_key
from beliefs
join events on events.event_id = beliefs.ended_by and events.scope_key = beliefs.scope_key
where events.kind in ('FactAsserted', 'ValueObserved')
group by all;
