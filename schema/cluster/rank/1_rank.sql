-- Who the ranks of this directory are, a device each. Times of the job plus wall_offset_ns are ns since 1970.
-- @family prof
-- @style any
-- @title rank
-- @facts
-- @each
SELECT 1 AS _any
-- @rows
WITH said AS (
  SELECT device_id, json_extract(text, '$.hostname') AS host, json_extract(text, '$.rank_id') AS rank_id, json_extract(text, '$.drvVersion') AS driver,
    json_extract(text, '$.jobInfo') AS job, json_extract(text, '$.platform_version') AS chip
  FROM control WHERE name = 'info.json' AND json_valid(text)
), delay AS (
  SELECT device_id, total_int(start_ns - launch_ns) / count(*) AS mean_ns FROM task WHERE launch_ns IS NOT NULL AND start_ns >= launch_ns GROUP BY device_id
)
SELECT d.device_id, (SELECT max(CAST(rank_id AS INTEGER)) FROM said WHERE rank_id >= 0 AND coalesce(said.device_id, d.device_id) = d.device_id) AS rank_id,
  (SELECT CAST(max(host) AS TEXT) FROM said) AS host, (SELECT nullif(CAST(max(job) AS TEXT), 'NA') FROM said) AS job,
  (SELECT CAST(max(driver) AS TEXT) FROM said) AS driver, (SELECT CAST(max(chip) AS TEXT) FROM said) AS chip,
  CAST((SELECT value FROM meta WHERE key = 'wall_offset_ns') AS INTEGER) AS wall_offset_ns,
  (SELECT max(rank_size) FROM comm_op o WHERE o.device_id = d.device_id AND rank_size BETWEEN 1 AND 1000000) AS rank_size,
  (SELECT count(*) FROM comm_op o WHERE o.device_id = d.device_id) AS collectives,
  (SELECT mean_ns FROM delay y WHERE y.device_id = d.device_id) AS launch_delay_ns, EXISTS (SELECT 1 FROM loss) AS damaged
FROM device d WHERE d.device_id >= 0 AND d.device_id < 4294967295 ORDER BY d.device_id
