-- Which lines of journal and ledger have a record time earlier than one written above them, or of another day than their file's.
create view late_arrivals as
with placed as (
    select
        *,
        max(recorded_at) over (
            partition by path order by line rows between unbounded preceding and 1 preceding) as latest_above,
        regexp_extract(path, '(?:^|/)([0-9]{4}-[0-9]{2}-[0-9]{2})[^/]*$', 1) as file_day
    from (from events union all by name from repeats)
    where starts_with(path, 'lore/journal/') or starts_with(path, 'lore/ledger/')
)
select
    * exclude (latest_above, file_day),
    case
        when recorded_at < latest_above
        then 'recorded at ' || strftime(recorded_at, '%Y-%m-%dT%H:%M:%S.%fZ') || ', before '
            || strftime(latest_above, '%Y-%m-%dT%H:%M:%S.%fZ') || ' written above it'
        else 'recorded on ' || strftime(recorded_at, '%Y-%m-%d') || ', written in the file of ' || file_day
    end as reason
from placed
where recorded_at < latest_above
   or (file_day != '' and strftime(recorded_at, '%Y-%m-%d') != file_day);
