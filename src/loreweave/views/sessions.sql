-- When sessions were resumed, each under its name.
create view sessions as
select object as name, recorded_at, recorded_by, scope, scope_key from events where kind = 'SessionMarked';
