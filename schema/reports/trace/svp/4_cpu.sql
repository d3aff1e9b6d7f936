-- @family svp
-- @style any
-- @thread AA CPU, stream {_stream}
-- @started t.rowid
-- @use svp_models
-- @each
SELECT * FROM model WHERE _cpu_first IS NOT NULL
-- @rows
SELECT 2 AS layer, :_process AS process, 4294967296 + t.stream_id AS track,
  coalesce(word('op', 'oris', :_net, t.task_id, t.stream_id), word('op', 'names', :_net, t.task_id, t.stream_id)) AS name, t.start_ns AS start_ns, t.dur_ns AS dur_ns,
  'AA_CPU' AS "args.Task Type", t.task_id AS "args.Task Id", word('op', 'types', :_net, t.task_id, t.stream_id) AS "args.Layer Type", :_label AS _process, t.stream_id AS _stream
FROM aicpu_task t WHERE t.rowid BETWEEN :_cpu_first AND :_cpu_last AND t.start_ns IS NOT NULL{range device t.start_ns; t.start_ns + t.dur_ns}
