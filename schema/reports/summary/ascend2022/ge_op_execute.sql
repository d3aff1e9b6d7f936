-- @file ge_op_execute_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'host_sch' AND s.device_id = scope.device_id AND s.records > 0)
-- @rows
SELECT x.thread_id AS "Thread ID", coalesce((SELECT name FROM hash_dic h WHERE h.hash = n.element ORDER BY h.rowid DESC LIMIT 1), n.element) AS "OP Type",
  coalesce((SELECT name FROM hash_dic h WHERE h.hash = n.event ORDER BY h.rowid DESC LIMIT 1), n.event) AS "Event Type", x.start_ns / 1000.0 AS "Start Time",
  x.dur_ns / 1000.0 AS "Duration(us)"
FROM source s CROSS JOIN host_sch x JOIN host_sch_hash n ON n.row = x.rowid
WHERE s.target = 'host_sch' AND s.device_id = :device_id AND x.rowid BETWEEN s.first_row AND s.last_row
ORDER BY x.rowid
