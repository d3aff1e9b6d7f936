-- @needs calls
-- @file acl_statistic_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'api_call' AND s.device_id = scope.device_id AND s.records > 0)
-- @use ascend2022_calls
-- @use ascend2022_call_statistic
-- @rows
SELECT name AS "Name", type AS "Type", ratio AS "Time(%)", total AS "Time(us)", count AS "Count", total / count AS "Avg(us)",
  shortest AS "Min(us)", longest AS "Max(us)", pid AS "Process ID", tid AS "Thread ID"
FROM statistic ORDER BY name
