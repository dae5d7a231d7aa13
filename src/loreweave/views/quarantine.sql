-- Which lines have no effect at all because they cannot be read or make no sense, and why.
create view quarantine as
select
    path,
    line,
    column_number,
    code,
    message as reason,
    hint,
    scope_key
from findings
where severity = 'error' and line > 0;
