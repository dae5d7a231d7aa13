-- The one reading of times: date, timestamp, timestamptz or text to UTC; anything unreadable is an error, only NULL gives NULL.
create macro instant(x) as
coalesce(
    -- Printed and read again, so that infinity and years outside 0001 to 9999 fall out.
    try_cast(regexp_extract(timezone('UTC', case
        when typeof(x) = 'TIMESTAMP WITH TIME ZONE' then try_cast(x as timestamptz)
        when regexp_full_match(x::varchar, '[0-9]{4}-[0-9]{2}-[0-9]{2}'
            || '([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?'
            || '(Z|[+-]([01][0-9]|2[0-3])(:[0-5][0-9])?)?)?')
        -- An offset is always given to the cast: without one it would ask the session's time zone.
        then try_cast(x::varchar || case
            when length(x::varchar) = 10 then ' 00:00+00'
            when regexp_matches(x::varchar, '(Z|[+-][0-9:]+)$') then ''
            else '+00' end as timestamptz)
    end)::varchar, '^[0-9]{4}-[-0-9:. ]+$') as timestamp),
    case when x is not null then
        error('"' || x::varchar || '" is not a time; write 2024-06-01, or 2024-06-01T09:30:00Z') end
);
