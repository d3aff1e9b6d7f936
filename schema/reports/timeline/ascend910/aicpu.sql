-- @form array
-- @file aicpu_{device_id}_{iter}
-- @each
SELECT DISTINCT s.device_id, 1 AS iter FROM source s
WHERE s.target = 'aicpu_events' AND EXISTS (SELECT 1 FROM aicpu_events a WHERE a.rowid BETWEEN s.first_row AND s.last_row AND a.node IS NOT NULL)
-- @rows
SELECT 'process_name' AS name, 0 AS pid, 0 AS tid, 'AI CPU' AS "args.name", 'M' AS ph
-- @layer
-- the times of the records are us
SELECT a.node AS name, 0 AS pid, 0 AS tid, a.run_start AS ts, a.run_end - a.run_start AS dur, a.compute_start AS "args.Compute_start(us)",
  a.memcpy_start AS "args.Memcpy_start(us)", a.memcpy_end AS "args.Memcpy_end(us)", 'X' AS ph
FROM source s CROSS JOIN aicpu_events a
WHERE s.target = 'aicpu_events' AND s.device_id = :device_id AND a.rowid BETWEEN s.first_row AND s.last_row AND a.node IS NOT NULL
  {range device a.run_start * 1000; a.run_end * 1000} ORDER BY a.rowid
