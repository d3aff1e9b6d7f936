-- @title Unpaired starts and ends
-- @each
SELECT group_concat(word(what || ': ' || n), word(', ')) AS heading
FROM (SELECT count(*) AS n, what FROM unpaired GROUP BY what ORDER BY what DESC) HAVING count(*)
-- @rows
SELECT what AS "What", device_id AS "Device", stream_id AS "Stream", task_id AS "Task", time_ns AS "Time(ns)"
FROM unpaired
-- @why
SELECT 'none' FROM temp.choice WHERE each_step
