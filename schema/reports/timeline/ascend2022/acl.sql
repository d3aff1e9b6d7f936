-- @form array
-- @needs calls
-- @file acl_{device_id}_{scope}
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'api_call' AND s.device_id = scope.device_id AND s.records > 0)
-- @use ascend2022_calls
-- @rows
SELECT DISTINCT 'process_name' AS name, pid, 0 AS tid, 'AscendCL' AS "args.name", 'M' AS ph FROM call ORDER BY call.pid
-- @use ascend2022_calls
-- @layer
SELECT DISTINCT 'thread_name' AS name, pid, tid, 'Thread ' || tid AS "args.name", 'M' AS ph FROM call ORDER BY call.pid, tid
-- @use ascend2022_calls
-- @layer
SELECT DISTINCT 'thread_sort_index' AS name, pid, tid, tid AS "args.sort_index", 'M' AS ph FROM call ORDER BY call.pid, tid
-- @use ascend2022_calls
-- @layer
SELECT coalesce(name, 'N/A') AS name, pid, tid, start_ns / 1000.0 AS ts, max(dur_ns, 0) / 1000.0 AS dur, type AS "args.Mode",
  pid AS "args.Process Id", tid AS "args.Thread Id", 'X' AS ph
FROM call WHERE 1{range host start_ns; start_ns + dur_ns} ORDER BY start_ns, row
