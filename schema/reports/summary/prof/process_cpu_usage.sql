-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM process_sample)
-- @rows
SELECT pid AS "PID", max(name) AS "Name",
  round(100000.0 * (max(user_us + system_us) - min(user_us + system_us)) / nullif(max(time_ns) - min(time_ns), 0), 3) AS "CPU(%)"
FROM process_sample GROUP BY pid ORDER BY min(rowid)
