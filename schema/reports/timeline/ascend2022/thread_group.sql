-- @family ascend2022
-- @style any
-- @form array
-- @file thread_group_{device_id}_{scope}
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'api_call' AND s.device_id = scope.device_id AND s.records > 0)
-- @use ascend2022_calls
-- @rows
SELECT 'ACL@' || coalesce(name, 'N/A') AS name, 0 AS pid, 'Thread ' || tid AS tid, start_ns / 1000.0 AS ts,
  max(dur_ns, 0) / 1000.0 AS dur, type AS "args.Mode", 'X' AS ph
FROM call ORDER BY row
