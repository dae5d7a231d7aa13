-- Since the annual report was signed off, every line was written in the order of its record times.
select subject, predicate, recorded_at, path, line, reason
from late_arrivals
where recorded_at > (
    select min(recorded_at) from events where subject_key = 'annual report' and predicate_key = 'signed off'
  );
