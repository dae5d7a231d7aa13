-- The key of an entity, of a name whose case is folded: without brackets and .md, each run of blanks, - and _ one blank.
create macro name_key(name) as trim(regexp_replace(regexp_replace(regexp_replace(translate(name, '‘’‚‛“”„‟', '''''''''""""'),
    '\[\[([^\[\]|]*)(\|[^\[\]|]*)?\]\]|\p{Cf}', '\1', 'g'), '[\s_-]+', ' ', 'g'), '( *\.md *)+$', ''));
