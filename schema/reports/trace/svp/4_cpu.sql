-- @thread AA CPU, stream {_stream}
-- @started t.rowid
-- @use svp_runs
-- @use svp_tracks
-- @each
SELECT _process, _label, _net, _stream, _first, _last FROM track WHERE target = 'aicpu_task'
-- @rows
SELECT 2 AS layer, :_process AS process, 4294967296 + :_stream AS track,
  coalesce(word('op', 'oris', :_net, t.task_id, -1), word('op', 'names', :_net, t.task_id, -1)) AS name, t.start_ns AS start_ns, t.dur_ns AS dur_ns,
  'AA_CPU' AS "args.Task Type", t.task_id AS "args.Task Id", word('op', 'types', :_net, t.task_id, -1) AS "args.Layer Type", :_label AS _process, :_stream AS _stream
FROM aicpu_task t WHERE t.rowid BETWEEN :_first AND :_last AND t.start_ns IS NOT NULL{range device t.start_ns; t.start_ns + t.dur_ns}
