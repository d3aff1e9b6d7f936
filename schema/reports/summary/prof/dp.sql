-- @use prof_stamp
-- @each
SELECT time, _wall FROM stamp WHERE EXISTS (SELECT 1 FROM data_queue)
-- @rows
SELECT s.device_id AS "Device_id", us(q.time_ns + :_wall) || char(9) AS "Timestamp(us)", q.action AS "Action", q.source AS "Source",
  q.queue_size AS "Cached Buffer Size"
FROM source s CROSS JOIN data_queue q WHERE s.target = 'data_queue' AND q.rowid BETWEEN s.first_row AND s.last_row ORDER BY s.device_id, q.time_ns, q.rowid
