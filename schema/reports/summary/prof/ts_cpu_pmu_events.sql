-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM ts_cpu)
-- @use prof_ts_cpu
-- @rows
SELECT device_id AS "Device_id", printf('0x%x', event) AS "Event", e.name AS "Name", total_int(count) AS "Count"
FROM counted LEFT JOIN cpu_event e USING (event) GROUP BY device_id, event HAVING total(count) > 0 ORDER BY device_id, CAST(total_int(count) AS TEXT) DESC
