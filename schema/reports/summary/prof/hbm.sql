-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM hbm_rate)
-- @rows
WITH channel AS (
  SELECT device_id, hbm_id, coalesce(avg(mbs) FILTER (WHERE type = 0), avg(mbs)) AS read, coalesce(avg(mbs) FILTER (WHERE type <> 0), avg(mbs)) AS written
  FROM hbm_rate GROUP BY device_id, hbm_id
), line AS (
  SELECT device_id, NULL AS hbm_id, fixed(decimal(CAST(rounded(float_sum(read), 3) * 1000 + 0.5 AS INTEGER), 1000 * count(*), 3), 3) AS read,
    fixed(decimal(CAST(rounded(float_sum(written), 3) * 1000 + 0.5 AS INTEGER), 1000 * count(*), 3), 3) AS written
  FROM channel GROUP BY device_id
  UNION ALL SELECT device_id, hbm_id, repr(rounded(read, 3)), repr(rounded(written, 3)) FROM channel
)
SELECT device_id AS "Device_id", coalesce(hbm_id, 'Average') AS "Metric", read AS "Read(MB/s)", written AS "Write(MB/s)"
FROM line ORDER BY device_id, hbm_id
