-- @file aicpu_{device_id}_1
-- @newline crlf
-- @each
SELECT DISTINCT s.device_id FROM source s
WHERE s.target = 'aicpu_events' AND EXISTS (SELECT 1 FROM aicpu_events a WHERE a.rowid BETWEEN s.first_row AND s.last_row AND a.node IS NOT NULL)
-- @rows
SELECT a.stamp AS "Timestamp", a.node AS "Node", a.run_start AS "Run_start(us)", a.compute_start AS "Compute_start(us)",
  a.memcpy_start AS "Memcpy_start(us)", a.memcpy_end AS "Memcpy_end(us)", a.run_end AS "Run_end(us)"
FROM source s CROSS JOIN aicpu_events a
WHERE s.target = 'aicpu_events' AND s.device_id = :device_id AND a.rowid BETWEEN s.first_row AND s.last_row AND a.node IS NOT NULL
ORDER BY a.rowid
