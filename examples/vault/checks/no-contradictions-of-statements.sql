-- Nothing that a person stated is overridden by another statement or displaced by a program's inference.
-- A note that says otherwise than the journal is listed too, as noted-against-asserted, and stops nobody.
select kind, subject, predicate, event_id, other_event_id, valid_from, valid_until
from contradictions
where kind in ('interval-overridden', 'inferred-over-stated');
