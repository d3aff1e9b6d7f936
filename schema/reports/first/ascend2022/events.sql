-- @family ascend2022
-- @style any
-- The first of tasks and calls: one clock.
-- @each
SELECT c.column1 AS clock, first_ns FROM (
  SELECT CAST(min(start_ns) AS INTEGER) AS first_ns FROM (
    SELECT min((t.start_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns) AS start_ns FROM task t JOIN setting s USING (device_id)
    UNION ALL SELECT min(start_ns) FROM api_call)
) CROSS JOIN (VALUES ('host'), ('device')) c
