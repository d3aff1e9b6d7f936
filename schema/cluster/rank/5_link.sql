-- What moved between two ranks over one kind of link.
-- @family prof
-- @title link
-- @each
SELECT 1 AS _any
-- @rows
SELECT device_id, source, target, coalesce(link, 'unknown') AS link, coalesce(transport, 'unknown') AS transport, transfers, bytes, total_ns AS ns
FROM temp.aggregate_link
