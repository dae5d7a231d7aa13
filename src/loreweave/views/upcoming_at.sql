-- What was believed at as_known_at to start after as_of; NULL as_known_at is as best known.
create macro upcoming_at(as_of, as_known_at) as table
with moment as (
    select
        coalesce(instant(as_of), error('as_of is NULL; give the instant asked about')) as asked_about,
        coalesce(instant(as_known_at), 'infinity'::timestamp) as asked_from
)
select beliefs.*
from beliefs, moment
where asked_about < valid_from
  and known_from <= asked_from and (known_until is null or asked_from < known_until)
  -- Hidden as in belief_at, at its own start.
  and not exists (
    from agreements as other
    where other.scope_key = beliefs.scope_key and other.event_id = beliefs.event_id
      and other.valid_from <= beliefs.valid_from
      and (other.valid_until is null or beliefs.valid_from < other.valid_until)
      and other.known_from <= asked_from and (other.known_until is null or asked_from < other.known_until)
  );
