-- In which country was the vendor on 1 May 2024, as was known that day, and as is best known?
select 'that day' as asked, object, path, line
from belief_at('2024-05-01', '2024-05-01')
where scope_key = 'default' and subject_key = 'vendor' and predicate_key = 'country'
union all
select 'as best known', object, path, line
from belief_at('2024-05-01', null)
where scope_key = 'default' and subject_key = 'vendor' and predicate_key = 'country'
order by asked desc;
