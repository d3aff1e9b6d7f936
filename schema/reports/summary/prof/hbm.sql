-- @family prof
-- @style any
-- @file hbm_{time}
-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM hbm)
-- @rows
SELECT device_id AS "Device_id", CASE WHEN hbm_id IS NULL THEN 'Average' ELSE 'hbm' || hbm_id END AS "Metric", read AS "Read(MB/s)", write AS "Write(MB/s)"
FROM (
  SELECT device_id, NULL AS hbm_id, half_up(avg(mbs) FILTER (WHERE type = 0), 3) AS read, half_up(avg(mbs) FILTER (WHERE type <> 0), 3) AS write
  FROM hbm_rate GROUP BY device_id
  UNION ALL
  SELECT device_id, hbm_id, half_up(avg(mbs) FILTER (WHERE type = 0), 3), half_up(avg(mbs) FILTER (WHERE type <> 0), 3)
  FROM hbm_rate GROUP BY device_id, hbm_id
) ORDER BY device_id, hbm_id
