-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM ddr_rate)
-- @rows
SELECT device_id AS "Device_id", 'Average' AS "Metric", repr(rounded(avg(read_mbs), 3)) AS "Read(MB/s)", repr(rounded(avg(write_mbs), 3)) AS "Write(MB/s)"
FROM ddr_rate GROUP BY device_id
