-- @file dp_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'data_queue' AND s.device_id = scope.device_id AND s.records > 0)
-- @rows
SELECT x.stamp AS "Timestamp", x.action AS "Action", x.source AS "Source", x.queue_size AS "Cached Buffer Size"
FROM source s CROSS JOIN data_queue x
WHERE s.target = 'data_queue' AND s.device_id = :device_id AND x.rowid BETWEEN s.first_row AND s.last_row
ORDER BY x.rowid
