-- Iterations of models as events and tracks of a trace: of the hardware, one track for each model, which the older style numbers from the
-- number of the program on.
WITH step AS (
  SELECT *, CASE WHEN :_old THEN :_pid + 69999 + dense_rank() OVER (PARTITION BY device_id ORDER BY model_id) ELSE 70000 + model_id END AS tid,
    CASE WHEN :_old THEN :_pid ELSE trace_pid(:_pid, 14, device_id) END AS owner
  FROM main.step
), step_event AS (
  SELECT 'Iteration ' || iteration AS "name", trace_pid(:_pid, 14, device_id) AS "pid", tid AS "tid", us(start_ns + :_wall) AS "ts",
    (end_ns - start_ns) / 1000.0 AS "dur", 'X' AS "ph", 'Iteration Time' AS "cat", NULL AS "id", iteration AS "args.Iteration ID",
    coalesce(us(fp_ns + :_wall), 'N/A') AS "args.FP Start", coalesce(us(bp_ns + :_wall), 'N/A') AS "args.BP End",
    us(end_ns + :_wall) AS "args.Iteration End", (end_ns - start_ns) / 1000.0 AS "args.Iteration Time(us)",
    NULL AS "args.FP_BP Time(us)", NULL AS "args.Iteration Refresh(us)", NULL AS "args.Data_aug Bound(us)", coalesce(start_ns, end_ns) AS start_ns, end_ns, 0 AS place
  FROM step
  UNION ALL
  SELECT 'FP_BP Time ' || iteration, trace_pid(:_pid, 14, device_id), tid, us(fp_ns + :_wall), (bp_ns - fp_ns) / 1000.0, 'X', 'FP_BP Time', NULL,
    iteration, us(fp_ns + :_wall), us(bp_ns + :_wall), NULL, NULL, (bp_ns - fp_ns) / 1000.0, NULL, NULL, coalesce(start_ns, end_ns), end_ns, 1
  FROM step WHERE fp_ns IS NOT NULL AND bp_ns IS NOT NULL
  UNION ALL
  SELECT 'Iteration Refresh ' || iteration, trace_pid(:_pid, 14, device_id), tid, us(bp_ns + :_wall), (end_ns - bp_ns) / 1000.0, 'X',
    'Iteration Refresh', NULL, iteration, NULL, us(bp_ns + :_wall), us(end_ns + :_wall), NULL, NULL, (end_ns - bp_ns) / 1000.0, NULL, coalesce(start_ns, end_ns), end_ns, 2
  FROM step WHERE fp_ns IS NOT NULL AND bp_ns IS NOT NULL
  UNION ALL
  SELECT 'Data_aug Bound ' || (iteration - 1 + e.value), trace_pid(:_pid, 14, device_id), tid,
    us(CASE e.value WHEN 0 THEN fp_ns ELSE bp_ns + CASE WHEN :_old THEN end_ns - bp_ns ELSE coalesce(fp_ns - data_ns, 0) END / 2 END + :_wall), NULL, CASE e.value WHEN 0 THEN 't' ELSE 's' END,
    'Data_aug Bound', 'Data_aug Bound ' || owner || '_' || tid,
    CASE e.value WHEN 0 THEN iteration END, NULL, NULL, NULL, NULL, NULL, NULL,
    CASE e.value WHEN 1 THEN coalesce(fp_ns - data_ns, 0) / 1000.0 END, coalesce(start_ns, end_ns), end_ns, 3 + e.value
  FROM step CROSS JOIN numbers(2) e WHERE fp_ns IS NOT NULL AND bp_ns IS NOT NULL
), step_track AS (
  SELECT 'process_name' AS "name", trace_pid(:_pid, 14, device_id) AS "pid", 0 AS "tid", 'M' AS "ph", 'Ascend Hardware' AS "args.name",
    NULL AS "args.labels", NULL AS "args.sort_index"
  FROM (SELECT DISTINCT device_id FROM step)
  UNION ALL SELECT 'process_labels', trace_pid(:_pid, 14, device_id), 0, 'M', NULL, 'NPU ' || device_id, NULL FROM (SELECT DISTINCT device_id FROM step)
  UNION ALL SELECT 'process_sort_index', trace_pid(:_pid, 14, device_id), 0, 'M', NULL, NULL, 14 FROM (SELECT DISTINCT device_id FROM step)
  UNION ALL SELECT 'thread_name', trace_pid(:_pid, 14, device_id), tid, 'M', 'Step Trace(Model ID:' || model_id || ')', NULL, NULL
  FROM (SELECT DISTINCT device_id, model_id, tid FROM step)
  UNION ALL SELECT 'thread_sort_index', trace_pid(:_pid, 14, device_id), tid, 'M', NULL, NULL, 70000 + model_id
  FROM (SELECT DISTINCT device_id, model_id, tid FROM step)
)
