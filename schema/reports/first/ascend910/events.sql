-- The first task.
-- @each
SELECT 'device' AS clock, min(start_ns) AS first_ns FROM hwts_task
