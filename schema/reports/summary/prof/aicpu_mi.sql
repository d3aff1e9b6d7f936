-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM aicpu_mi)
-- @rows
SELECT s.device_id AS "Device_id", m.node_tag AS "Node Name", m.start_us || char(9) AS "Start Time(us)", m.end_us || char(9) AS "End Time(us)",
  m.queue_size AS "Queue Size"
FROM source s CROSS JOIN aicpu_mi m WHERE s.target = 'aicpu_mi' AND m.rowid BETWEEN s.first_row AND s.last_row ORDER BY s.device_id, m.start_us, m.rowid
