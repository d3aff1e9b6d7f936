-- The first of tasks and calls: one clock. In databases before schema 4 they have clocks of their own, and each counts from its own first.
-- @each
WITH own(clock, first_ns) AS (
  SELECT 'device', min(first_ns) FROM (SELECT min(start_ns) AS first_ns FROM aicore_task UNION ALL SELECT min(start_ns) FROM aicpu_task)
  UNION ALL SELECT 'host', min(start_ns) FROM api_call
)
SELECT clock, CASE WHEN EXISTS (SELECT 1 FROM meta WHERE key = 'one_clock') THEN (SELECT min(first_ns) FROM own) ELSE first_ns END AS first_ns FROM own
