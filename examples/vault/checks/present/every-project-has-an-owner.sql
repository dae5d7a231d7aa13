-- A project that runs has an owner, as far as is known at $now.
select projects.subject, projects.object as status, projects.path, projects.line
from belief_at($now, $now) as projects
where projects.predicate_key = 'status' and projects.object in ('pilot', 'live')
  and not exists (
    from belief_at($now, $now) as owners
    where owners.predicate_key = 'owner'
      and owners.scope_key = projects.scope_key and owners.subject_key = projects.subject_key
  );
