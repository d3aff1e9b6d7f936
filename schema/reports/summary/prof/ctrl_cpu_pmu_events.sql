-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM cpu_count WHERE kind = 'ctrl')
-- @rows
SELECT device_id AS "Device_id", printf('0x%x', s.event) AS "Event", e.name AS "Name", total_int(count) AS "Count"
FROM cpu_count s LEFT JOIN cpu_event e USING (event) WHERE kind = 'ctrl' AND s.event IS NOT NULL GROUP BY device_id, s.event ORDER BY device_id, 4 DESC, s.event
