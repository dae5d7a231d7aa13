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
alike as (
    select
        event_id, spans.span_id, spans.path, start_line, spans.path = addressed.path as is_in_note,
        count(*) over (partition by event_id) as of_all,
        count(*) over (partition by event_id, spans.path = addressed.path) as of_note
    from addressed join spans using (scope_key, body_hash)
),
candidates as (
    select event_id, spans.span_id, spans.path, start_line,
        if(spans.path = addressed.path and spans.anchor = addressed.anchor, 1, 2) as step
    from addressed join spans on spans.scope_key = addressed.scope_key and left(spans.hash, 16) = addressed.hash
    union all
    select event_id, span_id, path, start_line, if(is_in_note, 3, 4) from alike
    where of_all = 1 or (is_in_note and of_note = 1)
    union all
    select event_id, span_id, path, start_line, 5 from addressed join spans using (scope_key, path, anchor)
),
followed as (
    select event_id, span_id from candidates
    qualify row_number() over (partition by event_id order by step, path, start_line, span_id) = 1
)
select path, anchor, hash, span_id, recorded_at, recorded_by, scope, scope_key
from addressed left join followed using (event_id);
