-- @family prof
-- @style any
-- @file ddr_{time}
-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM ddr)
-- @rows
SELECT device_id AS "Device_id", 'Average' AS "Metric", half_up(avg(mbs) FILTER (WHERE type = 0), 3) AS "Read(MB/s)",
  half_up(avg(mbs) FILTER (WHERE type <> 0), 3) AS "Write(MB/s)"
FROM ddr_rate GROUP BY device_id
