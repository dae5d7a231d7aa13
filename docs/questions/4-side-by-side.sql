-- The status and the version of Ledger Format side by side, as was known on 1 December 2025
with told as (
    select * from spells_at('2025-12-01')
    where scope_key = 'default' and subject_key = 'ledger format' and predicate_key in ('status', 'version')
),
days as (select valid_from as day from told union select valid_until from told where valid_until is not null)
select
    day as since,
    max(object) filter (predicate_key = 'status') as status,
    max(object) filter (predicate_key = 'version') as version
from days
left join told on valid_from <= day and (valid_until is null or day < valid_until)
group by day
order by day;
