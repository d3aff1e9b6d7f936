-- @family svp
-- @style any
-- @thread AA CPU, stream {_stream}
-- @started _row
-- @use svp_models
-- @each
SELECT * FROM model WHERE _cpu_first IS NOT NULL
-- @rows
SELECT 2 AS layer, :_process AS process, 4294967296 + t.stream_id AS track, coalesce(o.oris, o.names) AS name, t.start_ns AS start_ns, t.dur_ns AS dur_ns,
  'AA_CPU' AS "args.Task Type", t.task_id AS "args.Task Id", o.types AS "args.Layer Type", :_label AS _process, t.stream_id AS _stream, t.rowid AS _row
FROM aicpu_task t LEFT JOIN op o ON o.net_id = :_net AND o.task_id = t.task_id AND o.stream_id = t.stream_id
WHERE t.rowid BETWEEN :_cpu_first AND :_cpu_last AND t.start_ns IS NOT NULL{range device t.start_ns; t.start_ns + t.dur_ns}
