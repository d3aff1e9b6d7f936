-- What each task of the core moved, and how well it multiplied, at its start.
-- @family svp
-- @style any
-- @each
SELECT 'Device ' || device_id AS track, min(first_row) AS _first, max(last_row) AS _last FROM temp.step_file
WHERE target = 'aicore_task' GROUP BY device_id, model, model_id ORDER BY device_id, 2
-- @rows
SELECT start_ns AS time_ns, ddr_read_bytes * 1000.0 / dur_ns AS "DDR read(MB/s)", ddr_write_bytes * 1000.0 / dur_ns AS "DDR written(MB/s)",
  CASE WHEN cycles IS NULL THEN mac_ppen * 1.0 / (end_tick - start_tick) ELSE mac_ppen * 100.0 / cycles END AS "Mac Ppen(%)"
FROM aicore_task WHERE rowid BETWEEN :_first AND :_last
