-- Who owned Atlas when, as was known on 1 December 2025?
select object as owner, valid_from, valid_until, path, line
from spells_at('2025-12-01')
where scope_key = 'default' and subject_key = 'atlas' and predicate_key = 'owner'
order by valid_from;
