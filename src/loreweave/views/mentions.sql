-- Where notes speak of entities: by a link, by a tag, or in text by a name that begins with a capital.
create view mentions as
with known as materialized (from entities),
met as (
    select coalesce(note.entity_key, other.entity_key) as entity_key, 'link' as kind, span_id, links.path, links.scope_key
    from links
    left join known note on note.kind = 'note' and note.path = target_path and note.scope_key = links.scope_key
    left join known other
        on target_id is null and broken and other.entity_key = name_key(target_key) and other.scope_key = links.scope_key
    where target_path is distinct from links.path
    union all
    select name_key(tag_key), 'tag', span_id, tags.path, tags.scope_key
    from tags asof left join spans on spans.path = tags.path and tags.line >= start_line
    union all
    select entity_key, 'name', span_id, spans.path, phrases.scope_key
    from phrases join known on known.scope_key = phrases.scope_key and known.kind <> 'tag'
        and key = case known.kind when 'acronym' then known.name else entity_key end
    join spans using (span_id)
    where known.path is distinct from spans.path
)
select distinct entity_key, kind, span_id, path, scope_key from met where entity_key is not null;
