-- Which passages were used, and when: a use follows its passage by address and text, else by text, else by address.
create view uses as
with used as (
    select
        event_id, object as address, coalesce(detail, '') as hash, recorded_at, recorded_by, scope, scope_key,
        regexp_extract(object, '(?is)^(.+?\.md)(?:#(.*))?$', ['path', 'anchor']) as parts
    from events
    where kind = 'SpanUsed'
),
addressed as (
    select * exclude (parts), if(parts.path = '', address, parts.path) as path, parts.anchor as anchor from used
),
candidates as (
    select event_id, spans.span_id, spans.path, start_line,
        spans.path = addressed.path and spans.anchor = addressed.anchor as is_there, true as says_it
    from addressed join spans on spans.scope_key = addressed.scope_key and left(spans.hash, 16) = addressed.hash
    union all
    select event_id, span_id, path, start_line, true, false
    from addressed join spans using (scope_key, path, anchor)
),
followed as (
    select event_id, span_id from candidates
    qualify row_number() over (
        partition by event_id order by says_it and is_there desc, says_it desc, path, start_line, span_id) = 1
)
select path, anchor, hash, span_id, recorded_at, recorded_by, scope, scope_key
from addressed left join followed using (event_id);
