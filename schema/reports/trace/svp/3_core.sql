-- @family svp
-- @style any
-- @thread Stream {track}
-- @started t.rowid
-- @use svp_models
-- @each
SELECT * FROM model WHERE _core_first IS NOT NULL
-- @rows
SELECT 2 AS layer, :_process AS process, t.stream_id AS track,
  coalesce(word('op', 'oris', :_net, t.task_id, t.stream_id), word('op', 'names', :_net, t.task_id, t.stream_id)) AS name, t.start_ns AS start_ns, t.dur_ns AS dur_ns,
  'AA_CORE' AS "args.Task Type", t.task_id AS "args.Task Id", word('op', 'types', :_net, t.task_id, t.stream_id) AS "args.Layer Type",
  decimal(t.mac_busy * 100, coalesce(t.cycles, (t.end_tick - t.start_tick) * 100), 2) AS "args.Mac Busy Ratio",
  decimal(t.mac_ppen * 100, coalesce(t.cycles, (t.end_tick - t.start_tick) * 100), 2) AS "args.Mac Ppen Ratio",
  decimal(t.vec_busy * 100, coalesce(t.cycles, (t.end_tick - t.start_tick) * 100), 2) AS "args.Vec Busy Ratio",
  decimal(t.vec_ppen * 100, coalesce(t.cycles, (t.end_tick - t.start_tick) * 100), 2) AS "args.Vec Ppen Ratio",
  decimal(t.dstr * 100, coalesce(t.cycles, (t.end_tick - t.start_tick) * 100), 2) AS "args.Dstr Ratio",
  decimal(t.dtrans * 100, coalesce(t.cycles, (t.end_tick - t.start_tick) * 100), 2) AS "args.Dtrans Ratio",
  decimal(t.dld * 100, coalesce(t.cycles, (t.end_tick - t.start_tick) * 100), 2) AS "args.DLD Ratio",
  decimal(t.wld * 100, coalesce(t.cycles, (t.end_tick - t.start_tick) * 100), 2) AS "args.WLD Ratio",
  t.ddr_read_bytes AS "args.DDR Read(byte)", t.ddr_write_bytes AS "args.DDR Write(byte)", :_label AS _process
FROM aicore_task t WHERE t.rowid BETWEEN :_core_first AND :_core_last AND t.start_ns IS NOT NULL{range device t.start_ns; t.start_ns + t.dur_ns}
