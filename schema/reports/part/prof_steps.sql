-- Iterations of models as events and tracks of a trace: of the hardware, one track for each model, which the older style numbers from the
-- number of the program on. Alone in a file (_alone) the older style has all iterations as a process of their own, with others only the chosen ones.
WITH step AS (
  SELECT *, CASE WHEN :_old THEN :_pid + 69999 + dense_rank() OVER (PARTITION BY device_id ORDER BY model_id) ELSE 70000 + model_id END AS tid,
    CASE WHEN :_old THEN :_pid ELSE trace_pid(:_pid, 14, device_id) END AS owner, CASE WHEN :_alone THEN :_pid ELSE trace_pid(:_pid, 14, device_id) END AS pid
  FROM main.step
  WHERE :_alone OR NOT :_chosen OR EXISTS (SELECT 1 FROM temp.choice c WHERE step.model_id = coalesce(c.model_id, step.model_id)
    AND step.index_id BETWEEN c.iteration_id AND c.iteration_id + c.iteration_count - 1)
), reduced AS (
  SELECT s.*, r.start_ns AS from_ns, r.end_ns AS to_ns,
    CASE WHEN :_old THEN row_number() OVER (PARTITION BY s.device_id, s.model_id, s.iteration ORDER BY r.rowid) ELSE row_number() OVER (ORDER BY r.rowid) END - 1 AS n
  FROM step_reduce r JOIN step s USING (device_id, model_id, iteration)
), step_event AS (
  SELECT 'Iteration ' || iteration AS "name", pid AS "pid", tid AS "tid", us(start_ns + :_wall) AS "ts",
    (end_ns - start_ns) / 1000.0 AS "dur", 'X' AS "ph", 'Iteration Time' AS "cat", NULL AS "id", iteration AS "args.Iteration ID",
    coalesce(us(fp_ns + :_wall), 'N/A') AS "args.FP Start", coalesce(us(bp_ns + :_wall), 'N/A') AS "args.BP End",
    us(end_ns + :_wall) AS "args.Iteration End", (end_ns - start_ns) / 1000.0 AS "args.Iteration Time(us)",
    NULL AS "args.FP_BP Time(us)", NULL AS "args.Iteration Refresh(us)", NULL AS "args.Data_aug Bound(us)", coalesce(start_ns, end_ns) AS start_ns, end_ns, 0 AS place
  FROM step
  UNION ALL
  SELECT 'FP_BP Time ' || iteration, pid, tid, us(fp_ns + :_wall), (bp_ns - fp_ns) / 1000.0, 'X', 'FP_BP Time', NULL,
    iteration, us(fp_ns + :_wall), us(bp_ns + :_wall), NULL, NULL, (bp_ns - fp_ns) / 1000.0, NULL, NULL, coalesce(start_ns, end_ns), end_ns, 1
  FROM step WHERE fp_ns IS NOT NULL AND bp_ns IS NOT NULL
  UNION ALL
  SELECT 'Iteration Refresh ' || iteration, pid, tid, us(bp_ns + :_wall), (end_ns - bp_ns) / 1000.0, 'X',
    'Iteration Refresh', NULL, iteration, NULL, us(bp_ns + :_wall), us(end_ns + :_wall), NULL, NULL, (end_ns - bp_ns) / 1000.0, NULL, coalesce(start_ns, end_ns), end_ns, 2
  FROM step WHERE fp_ns IS NOT NULL AND bp_ns IS NOT NULL
  UNION ALL
  SELECT 'Data_aug Bound ' || (iteration - 1 + e.value), pid, tid,
    us(CASE e.value WHEN 0 THEN fp_ns ELSE bp_ns + CASE WHEN :_old THEN end_ns - bp_ns ELSE coalesce(fp_ns - data_ns, 0) END / 2 END + :_wall), NULL, CASE e.value WHEN 0 THEN 't' ELSE 's' END,
    'Data_aug Bound', 'Data_aug Bound ' || owner || '_' || tid,
    CASE e.value WHEN 0 THEN iteration END, NULL, NULL, NULL, NULL, NULL, NULL,
    CASE e.value WHEN 1 THEN coalesce(fp_ns - data_ns, 0) / 1000.0 END, coalesce(start_ns, end_ns), end_ns, 3 + e.value
  FROM step CROSS JOIN numbers(2) e WHERE fp_ns IS NOT NULL AND bp_ns IS NOT NULL
), reduce_event AS (
  SELECT 'Reduce_' || iteration || '_' || n AS "name", pid AS "pid", tid AS "tid", us(from_ns + :_wall) AS "ts", (to_ns - from_ns) / 1000.0 AS "dur",
    'X' AS "ph", 'Reduce' AS "cat", iteration AS "args.Iteration ID",
    CASE WHEN :_old THEN us(from_ns + :_wall) ELSE CAST(from_ns + :_wall AS TEXT) END AS "args.Reduce Start #",
    CASE WHEN :_old THEN us(to_ns + :_wall) ELSE CAST(to_ns + :_wall AS TEXT) END AS "args.Reduce End #", n AS _number, from_ns AS start_ns, to_ns AS end_ns
  FROM reduced
), next_event AS (
  SELECT 'GetNext' AS "name", s.pid AS "pid", s.tid AS "tid", us(n.start_ns + :_wall) AS "ts", (n.end_ns - n.start_ns) / 1000.0 AS "dur", 'X' AS "ph", 'GetNext Time' AS "cat",
    us(n.start_ns + :_wall) AS "args.GetNext Start", us(n.end_ns + :_wall) AS "args.GetNext End", (n.end_ns - n.start_ns) / 1000.0 AS "args.GetNext Time(us)", n.start_ns, n.end_ns
  FROM step_next n JOIN step s USING (device_id, model_id, iteration)
), step_track AS (
  SELECT 'process_name' AS "name", pid AS "pid", 0 AS "tid", 'M' AS "ph", CASE WHEN :_alone THEN 'Step Trace' ELSE 'Ascend Hardware' END AS "args.name",
    NULL AS "args.labels", NULL AS "args.sort_index"
  FROM (SELECT DISTINCT device_id, pid FROM step)
  UNION ALL SELECT 'process_labels', pid, 0, 'M', NULL, 'NPU ' || device_id, NULL FROM (SELECT DISTINCT device_id, pid FROM step WHERE NOT :_alone)
  UNION ALL SELECT 'process_sort_index', pid, 0, 'M', NULL, NULL, 14 FROM (SELECT DISTINCT device_id, pid FROM step WHERE NOT :_alone)
  UNION ALL SELECT 'thread_name', pid, tid, 'M', CASE WHEN :_alone THEN 'Model ID:' || model_id ELSE 'Step Trace(Model ID:' || model_id || ')' END, NULL, NULL
  FROM (SELECT DISTINCT device_id, model_id, pid, tid FROM step)
  UNION ALL SELECT 'thread_sort_index', pid, tid, 'M', NULL, NULL, 70000 + model_id
  FROM (SELECT DISTINCT device_id, model_id, pid, tid FROM step)
)
