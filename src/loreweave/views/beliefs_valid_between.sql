-- What was believed at as_known_at to hold within a <= t < b, clipped to that window; NULL leaves that side open.
create macro beliefs_valid_between(a, b, as_known_at) as table
with bounds as (
    select
        coalesce(instant(a), '-infinity'::timestamp) as opens,
        coalesce(instant(b), 'infinity'::timestamp) as closes,
        coalesce(instant(as_known_at), 'infinity'::timestamp) as asked_from
),
-- Hidden as in belief_at, so that no day of an object is counted twice.
hidden as (
    select scope_key, event_id, valid_from as hides, coalesce(valid_until, 'infinity'::timestamp) as shows
    from agreements, bounds
    where known_from <= asked_from and (known_until is null or asked_from < known_until)
),
held as (
    select beliefs.* replace (
        greatest(valid_from, opens) as valid_from, least(coalesce(valid_until, closes), closes) as valid_until)
    from beliefs, bounds
    where valid_from < closes and (valid_until is null or opens < valid_until)
      and known_from <= asked_from and (known_until is null or asked_from < known_until)
),
pieces as (
    from held
    union all
    select held.* replace (shows as valid_from)
    from held join hidden using (scope_key, event_id) where valid_from < shows and shows < valid_until
)
select pieces.* replace (nullif(least(valid_until, (
    select min(hides) from hidden
    where scope_key = pieces.scope_key and event_id = pieces.event_id and hides > pieces.valid_from
)), 'infinity'::timestamp) as valid_until)
from pieces
where not exists (
    from hidden where scope_key = pieces.scope_key and event_id = pieces.event_id
      and hides <= pieces.valid_from and pieces.valid_from < shows);
