-- Nobody calls a supplier reliable, or not, without saying why.
select beliefs.subject, beliefs.object, beliefs.path, beliefs.line
from beliefs
join events using (scope_key, event_id)
where beliefs.predicate_key = 'reliability' and events.because is null;
