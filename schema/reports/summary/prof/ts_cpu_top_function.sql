-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM ts_cpu)
-- @use prof_ts_cpu
-- @rows
SELECT device_id AS "Device_id", printf('0x%x', pc) AS "Function", cycles AS "Cycles", repr(rounded(cycles * 100.0 / whole, 3)) AS "Cycles(%)"
FROM (SELECT device_id, pc, total_int(count) AS cycles, min(place) AS place FROM counted WHERE event = 17 GROUP BY device_id, pc)
JOIN (SELECT device_id, nullif(total(count), 0) AS whole FROM counted WHERE event = 17 GROUP BY device_id) USING (device_id)
WHERE whole IS NOT NULL ORDER BY device_id, cycles DESC, place LIMIT 5
