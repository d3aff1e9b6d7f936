-- @family prof
-- @style any
-- @file llc_{time}
-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM llc)
-- @rows
SELECT device_id AS "Device_id", mode AS "Mode", coalesce(l3t_id, 'Average') AS "Task", half_up(avg(hit_rate) * 100, 3) AS "Hit Rate(%)",
  half_up(avg(mbs), 3) AS "Throughput(MB/s)"
FROM (SELECT device_id, mode, NULL AS l3t_id, hit_rate, mbs FROM llc_rate UNION ALL SELECT device_id, mode, l3t_id, hit_rate, mbs FROM llc_rate)
GROUP BY device_id, mode, l3t_id ORDER BY device_id, l3t_id IS NOT NULL, l3t_id
