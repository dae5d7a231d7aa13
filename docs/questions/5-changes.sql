-- What did we come to believe otherwise in the first half of 2025, and which line made us?
select changes.change, changes.recorded_at, changes.subject, changes.predicate, changes.object,
    changes.valid_from, changes.valid_until, events.path, events.line
from changes_between('2025-01-01', '2025-07-01') as changes
left join events on events.event_id = changes.changed_by and events.scope_key = changes.scope_key
where changes.scope_key = 'default'
order by changes.recorded_at, changes.subject, changes.predicate, changes.valid_from, changes.change desc;
