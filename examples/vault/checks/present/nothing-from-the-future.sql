-- No line says that it was recorded later than $now.
select subject, predicate, recorded_at, path, line
from future_recorded_at($now);
