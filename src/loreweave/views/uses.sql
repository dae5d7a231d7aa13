-- Which passages were used, and when: a use follows its passage by address and text, by text, by the text below the heading where one alone has it, by address.
create view uses as
with used as (
    select
        event_id, object as address, coalesce(detail, '') as hashes, recorded_at, recorded_by, scope, scope_key,
        regexp_extract(object, '(?is)^(.+?\.md)(?:#(.*))?$', ['path', 'anchor']) as parts
    from events
    where kind = 'SpanUsed'
),
addressed as (
    select
        * exclude (parts, hashes), if(parts.path = '', address, parts.path) as path, parts.anchor as anchor,
        left(hashes, 16) as hash, if(substr(hashes, 17, 1) = '-', substr(hashes, 18), hash) as body_hash
    from used
),
there as (
    select
        event_id, arg_min(span_id, (start_line, span_id)) as as_it_is,
        arg_min(span_id, (start_line, span_id)) filter (left(spans.hash, 16) = addressed.hash) as as_it_was
    from addressed join spans using (scope_key, path, anchor) group by event_id
),
alike as (
    select scope_key, left(hash, 16) as hash, arg_min(span_id, (path, start_line, span_id)) as span_id
    from spans where left(hash, 16) in (select hash from addressed) group by all
),
below as (
    select scope_key, path, body_hash, span_id from spans where body_hash in (select body_hash from addressed)
),
in_note as (
    select scope_key, path, body_hash, any_value(span_id) as span_id from below group by all having count(*) = 1
),
in_scope as (
    select scope_key, body_hash, any_value(span_id) as span_id from below group by all having count(*) = 1
)
select
    path, anchor, hash,
    coalesce(as_it_was, alike.span_id, in_note.span_id, in_scope.span_id, as_it_is) as span_id,
    recorded_at, recorded_by, scope, scope_key
from addressed left join there using (event_id) left join alike using (scope_key, hash)
    left join in_note using (scope_key, path, body_hash) left join in_scope using (scope_key, body_hash);
