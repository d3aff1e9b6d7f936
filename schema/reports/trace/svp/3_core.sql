-- @thread Stream {track}
-- @started t.rowid
-- @use svp_runs
-- @use svp_tracks
-- @each
SELECT _process, _label, _net, _stream, _first, _last, _tick, _shown, _percent FROM track WHERE target = 'aicore_task'
-- @rows
SELECT 2 AS layer, :_process AS process, coalesce(:_stream, t.seg_id) AS track,
  coalesce(word('op', 'oris', :_net, t.task_id, t.seg_id), word('op', 'names', :_net, t.task_id, t.seg_id)) AS name, t.start_ns AS start_ns, t.dur_ns AS dur_ns,
  'AA_CORE' AS "args.Task Type", t.task_id AS "args.Task Id", word('op', 'types', :_net, t.task_id, t.seg_id) AS "args.Layer Type",
  decimal(t.mac_busy * :_percent, t.ticks * :_tick, 2) AS "args.Mac Busy Ratio",
  decimal(t.mac_ppen * :_percent, t.ticks * :_tick, 2) AS "args.Mac Ppen Ratio",
  decimal(t.vec_busy * :_percent, t.ticks * :_tick, 2) AS "args.Vec Busy Ratio",
  decimal(t.vec_ppen * :_percent, t.ticks * :_tick, 2) AS "args.Vec Ppen Ratio",
  decimal(t.dstr * :_percent, t.ticks * :_tick, 2) AS "args.Dstr Ratio",
  decimal(t.dtrans * :_percent, t.ticks * :_tick, 2) AS "args.Dtrans Ratio",
  decimal(t.dld * :_percent, t.ticks * :_tick, 2) AS "args.DLD Ratio",
  decimal(t.wld * :_percent, t.ticks * :_tick, 2) AS "args.WLD Ratio",
  t.ddr_read_bytes * :_shown AS "args.DDR Read(byte)", t.ddr_write_bytes * :_shown AS "args.DDR Write(byte)", :_label AS _process
FROM aicore_task t WHERE t.rowid BETWEEN :_first AND :_last AND t.start_ns IS NOT NULL{range device t.start_ns; t.start_ns + t.dur_ns}
