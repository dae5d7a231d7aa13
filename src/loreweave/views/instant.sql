-- The one reading of times: date, timestamp, timestamptz or text to UTC; anything unreadable is an error, only NULL gives NULL.
create macro instant(x) as
coalesce(
    -- Printed and read again, so that infinity and years outside 0001 to 9999 fall out.
    try_cast(regexp_extract(timezone('UTC', case
        when typeof(x) = 'TIMESTAMP WITH TIME ZONE' then try_cast(x as timestamptz)
        when x::varchar >= '0001' and regexp_full_match(x::varchar, '[0-9]{4}-[0-9]{2}-[0-9]{2}'
            || '([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?'
            || '(Z|[+-]([01][0-9]|2[0-3])(:[0-5][0-9])?)?)?')
        -- With an offset first: without one the cast would ask the session's time zone. Two do not read.
        then coalesce(
            try_cast(x::varchar || ' 00:00+00' as timestamptz),
            try_cast(x::varchar || '+00' as timestamptz),
            try_cast(x::varchar as timestamptz))
    end)::varchar, '^[0-9]{4}-[-0-9:. ]+$') as timestamp),
    case when x is not null then
        error('"' || x::varchar || '" is not a time; write 2024-06-01, or 2024-06-01T09:30:00Z') end
);
