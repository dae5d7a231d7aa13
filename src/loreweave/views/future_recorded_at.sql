-- Which events say they were recorded after now.
create macro future_recorded_at(now) as table
select events.*
from events, (select coalesce(instant(now), error('now is NULL; give the present instant')) as present) as moment
where recorded_at > present;
