-- Which claims are at odds, as best known, and in which of four ways; no answer changes.
create view contradictions as
select
    conflicts.kind,
    events.scope,
    events.subject,
    events.predicate,
    conflicts.scope_key,
    events.subject_key,
    events.predicate_key,
    conflicts.event_id,
    conflicts.other_event_id,
    conflicts.valid_from,
    conflicts.valid_until
from conflicts
join events using (scope_key, event_id);
