-- What notes are about: the notes, what else they are called, and what is linked, tagged or believed; one row a key.
create view entities as
with alone as (
    select * from called
    qualify rank() over (partition by scope_key, entity_key order by kind = 'alias', kind = 'title') = 1
        and count(*) over (partition by scope_key, entity_key, kind) = 1
),
unwritten as (
    select name_key(target_key) as entity_key, target, scope_key from links where target_id is null and broken
),
stated as (from beliefs where known_until is null),
written as (
    select key as name, scope_key from phrases union select target, scope_key from unwritten
    union select tag, scope_key from tags union select unnest([subject, subject_key]), scope_key from stated
),
found as (
    select 1 as place, coalesce(entity_key, path) as entity_key, title as name, 'note' as kind, path, scope_key
    from notes left join (select entity_key, path, scope_key, entity_key as title_key from alone)
        using (path, scope_key, title_key)
    union all select 2, entity_key, name, 'alias', path, scope_key
    from alone anti join notes on notes.path = alone.path and title_key = entity_key
    where kind <> 'name' or (entity_key, scope_key) in (from written)
    union all select 3, lower(initials), initials, 'acronym', min(path), scope_key
    from called where (initials, scope_key) in (from written)
        and (lower(initials), scope_key) not in (
            select lower(text), scope_key from (select unnest([subject, object]) as text, scope_key from stated)
            where text <> upper(text)
        )
    group by all having count(distinct path) = 1
    union all select 4, entity_key, min(target), 'target', null, scope_key from unwritten group by all
    union all select 5, name_key(tag_key), min(tag), 'tag', null, scope_key from tags group by all
    union all select 6, name_key(subject_key), min(subject), 'subject', null, scope_key from stated group by all
    union all select 7, name_key(object_key), min(object), 'object', null, scope_key from stated
    where regexp_full_match(object[:80], '(\[\[|\p{Lu})[^\s.:;!?]*(\s+[^\s:;!?]+){0,4}') group by all
)
select entity_key, name, kind, path, scope_key from found where entity_key <> ''
qualify row_number() over (partition by scope_key, entity_key order by place, name) = 1;
