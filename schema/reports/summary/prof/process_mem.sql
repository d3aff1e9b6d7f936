-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM process_sample)
-- @rows
SELECT pid AS "PID", max(name) AS "Name", max(size_kb) AS "Peak Size(KB)", max(resident_kb) AS "Peak Resident(KB)",
  max(shared_kb) AS "Peak Shared(KB)"
FROM process_sample GROUP BY pid ORDER BY min(rowid)
