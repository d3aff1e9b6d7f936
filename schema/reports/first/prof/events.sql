-- The first of tasks and calls: one clock.
-- @each
SELECT c.column1 AS clock, first_ns FROM (
  SELECT min(start_ns) AS first_ns FROM (SELECT min(start_ns) AS start_ns FROM task UNION ALL SELECT min(start_ns) FROM api)
) CROSS JOIN (VALUES ('host'), ('device')) c
