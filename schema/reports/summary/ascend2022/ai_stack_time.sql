-- @family ascend2022
-- @style any
-- @file ai_stack_time_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target IN ('api_call', 'hwts_event') AND s.device_id = scope.device_id AND s.records > 0)
-- @use ascend2022_calls
-- @use ascend2022_stack
-- @rows
SELECT :_iteration AS "Infer ID", 'ACL' AS "Module", name AS "API", start_ns AS "Start Time", dur_ns AS "Duration(ns)"
FROM stack WHERE n = :_iteration
UNION ALL
SELECT :_iteration, 'Task Scheduler', 'N/A', CASE WHEN start = CAST(start AS INTEGER) THEN CAST(start AS INTEGER) ELSE start END,
  stop - start
FROM (
  SELECT (min(t.start_counter) - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns AS start,
    (max(t.end_counter) - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns AS stop
  FROM task t JOIN setting s ON s.device_id = t.device_id
  WHERE t.device_id = :device_id AND t.step_id IS :_step HAVING count(*)
)
