-- What was believed at as_known_at to hold at as_of; NULL as_known_at is as best known.
create macro belief_at(as_of, as_known_at) as table
with moment as (
    select
        coalesce(instant(as_of), error('as_of is NULL; give the instant asked about')) as asked_about,
        coalesce(instant(as_known_at), 'infinity'::timestamp) as asked_from
),
-- Where sub-slots agree on an object, all but the row of greatest priority.
hidden as (
    select scope_key, event_id
    from agreements, moment
    where valid_from <= asked_about and (valid_until is null or asked_about < valid_until)
      and known_from <= asked_from and (known_until is null or asked_from < known_until)
)
select beliefs.*
from beliefs anti join hidden using (scope_key, event_id), moment
where valid_from <= asked_about and (valid_until is null or asked_about < valid_until)
  and known_from <= asked_from and (known_until is null or asked_from < known_until);
