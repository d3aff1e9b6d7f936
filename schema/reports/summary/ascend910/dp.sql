-- @file dp_{device_id}_1
-- @newline crlf
-- @each
SELECT DISTINCT device_id FROM source WHERE target = 'queue_events' AND records > 0
-- @rows
SELECT q.stamp AS "Timestamp", q.action AS "Action", q.source AS "Source", q.queue_size AS "Cached Buffer Size"
FROM source s CROSS JOIN queue_events q
WHERE s.target = 'queue_events' AND s.device_id = :device_id AND q.rowid BETWEEN s.first_row AND s.last_row
ORDER BY q.rowid
