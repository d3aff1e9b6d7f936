-- @file step_trace_{device_id}_1
-- @newline crlf
-- @each
SELECT DISTINCT device_id FROM source WHERE target = 'step_trace' AND records > 0
-- @rows
SELECT t.type AS "Type", t.stream_id AS "Stream ID", t.task_id AS "Task ID", t.counter AS "Counter", t.time_ns AS "Time(ns)"
FROM source s CROSS JOIN step_trace t
WHERE s.target = 'step_trace' AND s.device_id = :device_id AND t.rowid BETWEEN s.first_row AND s.last_row ORDER BY t.counter, t.rowid
