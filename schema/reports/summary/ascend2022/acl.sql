-- @needs calls
-- @file acl_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'api_call' AND s.device_id = scope.device_id AND s.records > 0)
-- @use ascend2022_calls
-- @rows
SELECT name AS "Name", type AS "Type", start_ns AS "Start Time", dur_ns / 1000.0 AS "Duration(us)", pid AS "Process ID",
  tid AS "Thread ID"
FROM call ORDER BY start_ns, row
