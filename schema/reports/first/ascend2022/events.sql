-- The first of tasks and calls: one clock, unless the counter of the device is not aligned with the host.
-- @each
WITH own(clock, first_ns) AS (
  SELECT 'device', CAST(min((t.start_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns) AS INTEGER)
  FROM task t JOIN setting s USING (device_id)
  UNION ALL SELECT 'host', (SELECT min(start_ns) FROM api_call)
)
SELECT clock, CASE WHEN EXISTS (SELECT 1 FROM setting WHERE host_ns = 0) THEN first_ns ELSE (SELECT min(first_ns) FROM own) END AS first_ns FROM own
