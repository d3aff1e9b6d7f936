-- What each task of the core moved, and how well it multiplied, at its start; nothing at the end of an inference. Models of a device
-- have curves of their own, with their names.
-- @family svp
-- @style any
-- @each
SELECT CASE count(*) OVER (PARTITION BY f.device_id) WHEN 1 THEN 'Device ' || f.device_id ELSE g.title
    || CASE WHEN count(*) OVER (PARTITION BY g.title) > 1 THEN ', model ' || coalesce(g.model_id, 'unknown') ELSE '' END END AS track, f._grp, f._first, f._last
FROM (SELECT device_id, grp AS _grp, min(first_row) AS _first, max(last_row) AS _last FROM temp.step_file WHERE target = 'aicore_task' GROUP BY grp) f
LEFT JOIN temp.step_group g ON g.id = f._grp ORDER BY f._grp
-- @rows
SELECT start_ns AS time_ns, ddr_read_bytes * 1000.0 / dur_ns AS "DDR read(MB/s)", ddr_write_bytes * 1000.0 / dur_ns AS "DDR written(MB/s)",
  CASE WHEN cycles IS NULL THEN mac_ppen * 1.0 / (end_tick - start_tick) ELSE mac_ppen * 100.0 / cycles END AS "Mac Ppen(%)"
FROM aicore_task WHERE rowid BETWEEN :_first AND :_last
-- @layer
SELECT end_ns, 0, 0, 0 FROM temp.step WHERE grp = :_grp
