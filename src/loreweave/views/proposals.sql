-- What was proposed for the record, by whom and why, and what became of it; one that was also approved is approved.
create view proposals as
with decisions as (
    select detail as proposal_id, 'approved' as status, recorded_at, recorded_by, scope_key from events
    where kind in ('FactAsserted', 'FactInvalidated', 'FactRetracted') and detail is not null
    union all
    select object, 'rejected', recorded_at, recorded_by, scope_key from events where kind = 'ProposalRejected'
),
proposed as (from events where kind = 'FactProposed'),
decided as (
    select event_id, decisions.status, decisions.recorded_at, decisions.recorded_by
    from proposed join decisions on proposal_id = event_id and decisions.scope_key = proposed.scope_key
        and decisions.recorded_at >= proposed.recorded_at
    qualify row_number() over (
        partition by event_id order by decisions.status, decisions.recorded_at, decisions.recorded_by) = 1
)
select
    event_id as proposal_id, coalesce(detail, 'fact') as kind, scope, subject, predicate, object, scope_key, subject_key,
    predicate_key, object_key, valid_from, valid_until, proposed.recorded_at, proposed.recorded_by, because, source,
    confidence, many, coalesce(status, 'pending') as status, decided.recorded_at as decided_at,
    decided.recorded_by as decided_by, path, line
from proposed left join decided using (event_id);
