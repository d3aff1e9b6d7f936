-- What each task of the core moved, and how well it multiplied, at its start; nothing at the end of an inference. Models of a device
-- have curves of their own, with their names. Nothing is drawn of counters that cannot be true.
-- @each
SELECT CASE count(*) OVER (PARTITION BY f.device_id) WHEN 1 THEN 'Device ' || f.device_id ELSE g.title END AS track, f._grp, f._many,
  iif(f._many, 0, f.first_row) AS _first, iif(f._many, -1, f.last_row) AS _last, p.tick AS _tick
FROM (SELECT device_id, grp AS _grp, min(first_row) AS first_row, max(last_row) AS last_row, max(last_row) - min(first_row) + 1 > total_int(last_row - first_row + 1) AS _many
      FROM temp.step_run WHERE target = 'aicore_task' GROUP BY grp) f
CROSS JOIN parts p CROSS JOIN main.counters c LEFT JOIN temp.step_group g ON g.id = f._grp WHERE c.shown ORDER BY f._grp
-- @rows
SELECT start_ns AS time_ns, ddr_read_bytes * 1000.0 / dur_ns AS "DDR read(MB/s)", ddr_write_bytes * 1000.0 / dur_ns AS "DDR written(MB/s)",
  mac_ppen * 100.0 / (ticks * :_tick) AS "Mac Ppen(%)"
FROM aicore_task WHERE rowid BETWEEN :_first AND :_last
-- @layer
SELECT t.start_ns, t.ddr_read_bytes * 1000.0 / t.dur_ns, t.ddr_write_bytes * 1000.0 / t.dur_ns, t.mac_ppen * 100.0 / (t.ticks * :_tick)
FROM temp.step_run r CROSS JOIN aicore_task t ON t.rowid BETWEEN r.first_row AND r.last_row WHERE :_many AND r.target = 'aicore_task' AND r.grp = :_grp
-- @layer
SELECT end_ns, 0, 0, 0 FROM temp.step WHERE grp = :_grp
