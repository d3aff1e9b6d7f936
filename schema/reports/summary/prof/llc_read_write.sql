-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM llc_rate)
-- @rows
WITH cache AS (
  SELECT device_id, l3t_id, rounded(avg(hit_rate), 6) AS hit_rate, rounded(avg(mbs), 6) AS mbs FROM llc_rate GROUP BY device_id, l3t_id
), line AS (
  SELECT device_id, NULL AS l3t_id, float_sum(hit_rate * 100) / count(*) AS hit_rate, float_sum(mbs) / count(*) AS mbs FROM cache GROUP BY device_id
  UNION ALL SELECT device_id, l3t_id, hit_rate * 100, mbs FROM cache
)
SELECT device_id AS "Device_id", (SELECT llc FROM setting c WHERE c.device_id = line.device_id) AS "Mode", coalesce(l3t_id, 'Average') AS "Task",
  repr(rounded(hit_rate, 3)) AS "Hit Rate(%)", repr(rounded(mbs, 3)) AS "Throughput(MB/s)"
FROM line ORDER BY device_id, l3t_id IS NOT NULL, l3t_id
