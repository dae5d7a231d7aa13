-- Who was reliable on 1 September 2024, as was known on 1 December 2024?
select subject, object, path, line
from belief_at('2024-09-01', '2024-12-01')
where scope_key = 'default' and predicate_key = 'reliability' and object_key = 'good'
order by subject;
