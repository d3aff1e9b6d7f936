-- @family svp
-- @style any
-- The first task and the first call: their clocks are not aligned, so each counts from its own.
-- @each
SELECT 'device' AS clock, min(first_ns) AS first_ns FROM (SELECT min(start_ns) AS first_ns FROM aicore_task UNION ALL SELECT min(start_ns) FROM aicpu_task)
UNION ALL SELECT 'host', min(start_ns) FROM api_call
