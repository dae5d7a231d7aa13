-- What was believed at the session's moment: the variables as_of and as_known_at; without as_of it is an error.
create view facts as
select *
from belief_at(
    coalesce(
        getvariable('as_of')::varchar,
        error('no moment is set; give --as-of (and --as-known-at, which may be left out)')
    ),
    getvariable('as_known_at')::varchar
);
