-- @form array
-- @file thread_group_{device_id}_{scope}
-- @use ascend2022_scope
-- @each
SELECT scope.*, c.pid AS _pid, NULL AS _place FROM scope JOIN setting c USING (device_id)
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target IN ('api_call', 'model_time', 'host_sch', 'runtime_api') AND s.device_id = scope.device_id
  AND s.records > 0)
-- @use ascend2022_calls
-- @rows
SELECT 'ACL@' || coalesce(name, 'N/A') AS name, :_pid AS pid, 'Thread ' || tid AS tid, start_ns / 1000.0 AS ts,
  max(dur_ns, 0) / 1000.0 AS dur, type AS "args.Mode", 'X' AS ph
FROM call WHERE 1{range host start_ns; start_ns + dur_ns} ORDER BY row
-- @use ascend2022_host
-- @layer
SELECT CASE place WHEN 4 THEN 'GE@' || name WHEN 5 THEN 'GE_OP_EXECUTE@' || kind || '_' || name ELSE 'Runtime@' || name END AS name, :_pid AS pid,
  'Thread ' || tid AS tid, start_ns / 1000.0 AS ts, max(dur_ns, 0) / 1000.0 AS dur, model AS "args.Model Name", model_id AS "args.Model ID", 'X' AS ph
FROM host_event WHERE place > 0{range host start_ns; start_ns + dur_ns}
