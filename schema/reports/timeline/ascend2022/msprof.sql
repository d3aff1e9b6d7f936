-- @form array
-- @file msprof_{device_id}_{scope}
-- @use ascend2022_scope
-- @each
SELECT scope.*, _step AS _only, NULL AS _place,
  -- events of an iteration begin after the end of the iteration before it
  coalesce((SELECT max(min(b.end_counter, x.end_counter) - s.device_counter, -s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000.0 + s.host_ns / 1e9 * 1000000.0
    FROM step x JOIN setting s ON s.device_id = x.device_id LEFT JOIN step b ON b.id = x.id - 1 AND b.device_id = x.device_id WHERE x.id = _step), -1e300) AS _from,
  coalesce((SELECT (max(coalesce(b.end_counter, 0), x.end_counter) - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000.0 + s.host_ns / 1e9 * 1000000.0
    FROM step x JOIN setting s ON s.device_id = x.device_id LEFT JOIN step b ON b.id = x.id - 1 AND b.device_id = x.device_id WHERE x.id = _step), 1e300) AS _to,
  EXISTS (SELECT 1 FROM source s WHERE s.target IN ('hwts_event', 'aicpu_node') AND s.device_id = scope.device_id AND s.records > 0
    AND (s.target = 'aicpu_node' OR _exports IS NOT 'none' OR EXISTS (SELECT 1 FROM op))) AS _scheduled
FROM scope
-- @use ascend2022_iterations
-- @rows
SELECT 'process_name' AS name, '1_' || model_pid AS pid, 0 AS tid, 'Model ID:' || model_id AS "args.name", 'M' AS ph
FROM iteration WHERE :_step IS NOT NULL
-- @use ascend2022_iterations
-- @layer
SELECT 'thread_name' AS name, '1_' || model_pid AS pid, 3 * n + track AS tid, CASE track WHEN 0 THEN 'Iteration ' || iteration ELSE ' ' END AS "args.name",
  'M' AS ph
FROM iteration JOIN track WHERE :_step IS NOT NULL ORDER BY 3 * n + track
-- @use ascend2022_iterations
-- @layer
SELECT 'thread_sort_index' AS name, '1_' || model_pid AS pid, 3 * n + track AS tid, 3 * n + track AS "args.sort_index", 'M' AS ph
FROM iteration JOIN track WHERE :_step IS NOT NULL ORDER BY 3 * n + track
-- @use ascend2022_iterations
-- @layer
SELECT 'Iteration Time ' || iteration AS name, '1_' || model_pid AS pid, 3 * n AS tid, stop - dur AS ts, dur, iteration AS "args.Iteration ID",
  coalesce(fp, 'N/A') AS "args.FP Start", coalesce(bp, 'N/A') AS "args.BP End", stop AS "args.Iteration End",
  rounded(dur * 1000.0, 2) AS "args.Iteration Time(ns)", 'Iteration Time' AS cat, 'X' AS ph
FROM iteration WHERE :_step IS NOT NULL{range device (stop - dur) * 1000.0; stop * 1000.0} ORDER BY n
-- @use ascend2022_iterations
-- @layer
SELECT 'process_sort_index' AS name, '1_' || model_pid AS pid, 0 AS tid, 1 AS "args.sort_index", 'M' AS ph FROM iteration WHERE :_step IS NOT NULL
-- @use ascend2022_calls
-- @layer
SELECT DISTINCT 'process_name' AS name, '2_' || call.pid AS pid, 0 AS tid, 'AscendCL' AS "args.name", 'M' AS ph FROM call ORDER BY call.pid
-- @use ascend2022_calls
-- @layer
SELECT DISTINCT 'thread_name' AS name, '2_' || call.pid AS pid, tid, 'Thread ' || tid AS "args.name", 'M' AS ph FROM call ORDER BY call.pid, tid
-- @use ascend2022_calls
-- @layer
SELECT DISTINCT 'thread_sort_index' AS name, '2_' || call.pid AS pid, tid, tid AS "args.sort_index", 'M' AS ph FROM call ORDER BY call.pid, tid
-- @use ascend2022_calls
-- @layer
SELECT coalesce(name, 'N/A') AS name, '2_' || call.pid AS pid, tid, start_ns / 1000.0 AS ts, max(dur_ns, 0) / 1000.0 AS dur, type AS "args.Mode",
  pid AS "args.Process Id", tid AS "args.Thread Id", 'X' AS ph
FROM call WHERE start_ns / 1000.0 >= :_from AND start_ns / 1000.0 < :_to{range host start_ns; start_ns + dur_ns} ORDER BY start_ns, row
-- @use ascend2022_calls
-- @layer
SELECT DISTINCT 'process_sort_index' AS name, '2_' || call.pid AS pid, 0 AS tid, 2 AS "args.sort_index", 'M' AS ph FROM call
-- @use ascend2022_host
-- @use ascend2022_host_tracks
-- @layer
SELECT name, place || '_' || pid AS pid, tid, text AS "args.name", number AS "args.sort_index", 'M' AS ph FROM host_track
UNION ALL SELECT 'process_sort_index', place || '_' || pid, 0, NULL, place, 'M' FROM host_track WHERE n = 0
-- @use ascend2022_host
-- @layer
SELECT name, place || '_' || pid AS pid, tid, start_ns / 1000.0 AS ts, max(dur_ns, 0) / 1000.0 AS dur, category AS "args.Category",
  payload_type AS "args.Payload_type", payload_value AS "args.Payload_value", message_type AS "args.Message_type", event_type AS "args.event_type",
  model AS "args.Model Name", model_id AS "args.Model Id", CASE place WHEN 6 THEN tid END AS "args.Thread Id",
  CASE WHEN direction IS NOT NULL THEN bytes || ' byte' END AS "args.data size", CASE WHEN bytes THEN direction END AS "args.memcpy direction",
  CASE WHEN direction IS NOT NULL AND bytes AND tasks <> '' THEN stream_id END AS "args.stream id",
  CASE WHEN direction IS NOT NULL AND bytes THEN nullif(tasks, '') END AS "args.task id", 'X' AS ph
FROM host_event WHERE start_ns / 1000.0 >= :_from AND start_ns / 1000.0 < :_to{range host start_ns; start_ns + dur_ns}
-- @layer
SELECT 'process_name' AS name, '7_0' AS pid, 0 AS tid, 'Task Scheduler' AS "args.name", 'M' AS ph WHERE :_scheduled
-- @use ascend2022_runs
-- @layer
SELECT DISTINCT 'thread_name' AS name, '7_0' AS pid, stream_id AS tid, 'Stream ' || stream_id AS "args.name", 'M' AS ph
FROM run ORDER BY stream_id
-- @use ascend2022_runs
-- @layer
SELECT coalesce(name, 'N/A') AS name, '7_0' AS pid, stream_id AS tid, start / 1000.0 AS ts, max(CAST(dur AS INTEGER), 0) / 1000.0 AS dur,
  type AS "args.Task Type", stream_id AS "args.Stream Id", task_id AS "args.Task Id", coalesce(total_ms, 'N/A') AS "args.Aicore Time(ms)",
  coalesce(cycles, 'N/A') AS "args.Total Cycle", 'X' AS ph
FROM run WHERE start / 1000.0 >= :_from AND start / 1000.0 < :_to{range device start; start + dur} ORDER BY id
-- @use ascend2022_runs
-- @use ascend2022_nodes
-- @layer
SELECT 'process_name' AS name, '7_1' AS pid, 0 AS tid, 'AI CPU' AS "args.name", 'M' AS ph WHERE EXISTS (SELECT 1 FROM node)
-- @use ascend2022_runs
-- @use ascend2022_nodes
-- @layer
SELECT name, '7_1' AS pid, 0 AS tid, start_ms * 1000.0 AS ts, dur_ms * 1000.0 AS dur, 'AI_CPU' AS "args.Task Type",
  compute_ms * 1000.0 AS "args.Compute Time(us)", memcpy_ms * 1000.0 AS "args.Memcpy Time(us)", dur_ms * 1000.0 AS "args.Task Time(us)",
  dispatch_ms * 1000.0 AS "args.Dispatch Time(us)", total_ms * 1000.0 AS "args.Total Time(us)", 'X' AS ph
FROM node WHERE start_ms * 1000.0 >= :_from AND start_ms * 1000.0 < :_to{range device start_ms * 1000000.0; (start_ms + dur_ms) * 1000000.0} ORDER BY id
-- @layer
SELECT 'process_name' AS name, place || '_' || pid AS pid, 0 AS tid, process AS "args.name", NULL AS "args.sort_index", 'M' AS ph
FROM device_track WHERE device_id = :device_id AND place > 7
UNION ALL SELECT 'process_sort_index', place || '_' || pid, 0, NULL, place, 'M' FROM device_track WHERE device_id = :device_id AND place > 7
-- @use ascend2022_curves
-- @layer
SELECT name, ts, place || '_' || pid AS pid, 0 AS tid, CASE kind WHEN 'Read(MB/s)' THEN a END AS "args.Read(MB/s)",
  CASE kind WHEN 'Write(MB/s)' THEN a END AS "args.Write(MB/s)", CASE kind WHEN 'Throughput(MB/s)' THEN a END AS "args.Throughput(MB/s)",
  CASE kind WHEN 'Hit Rate(%)' THEN a END AS "args.Hit Rate(%)", CASE kind WHEN 'link' THEN a END AS "args.Tx", CASE kind WHEN 'link' THEN b END AS "args.Rx",
  CASE kind WHEN 'Tx(MB/s)' THEN a END AS "args.Tx(MB/s)", CASE kind WHEN 'Rx(MB/s)' THEN a END AS "args.Rx(MB/s)",
  CASE kind WHEN 'Tx' THEN a END AS "args.Tx Bandwidth Efficiency", CASE kind WHEN 'Tx' THEN b END AS "args.Tx Packets",
  CASE kind WHEN 'Tx' THEN c END AS "args.Tx Error Rate", CASE kind WHEN 'Tx' THEN d END AS "args.Tx Dropped Rate",
  CASE kind WHEN 'Rx' THEN a END AS "args.Rx Bandwidth Efficiency", CASE kind WHEN 'Rx' THEN b END AS "args.Rx Packets",
  CASE kind WHEN 'Rx' THEN c END AS "args.Rx Error Rate", CASE kind WHEN 'Rx' THEN d END AS "args.Rx Dropped Rate", 'C' AS ph
FROM curve WHERE ts >= :_from AND ts < :_to{range device ts * 1000.0; ts * 1000.0}
-- @layer
SELECT 'process_name' AS name, '7_2' AS pid, 0 AS tid, 'All Reduce' AS "args.name", 'M' AS ph WHERE :_step IS NOT NULL
-- @layer
SELECT 'All Reduce ' || a.number AS name, '7_2' AS pid, 0 AS tid,
  ((a.start_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns) / 1000.0 AS ts,
  (a.end_counter - a.start_counter) / s.counter_mhz AS dur, a.number AS "args.Number", 'X' AS ph
FROM all_reduce a JOIN setting s ON s.device_id = a.device_id WHERE a.step_id = :_step
  {range device (a.start_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns;
    (a.end_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns}
-- @use ascend2022_runs
-- @use ascend2022_nodes
-- @layer
SELECT 'process_sort_index' AS name, '7_' || process AS pid, 0 AS tid, 7 AS "args.sort_index", 'M' AS ph
FROM (SELECT 0 AS process WHERE :_scheduled UNION ALL SELECT 1 WHERE EXISTS (SELECT 1 FROM node)
      UNION ALL SELECT 2 WHERE :_step IS NOT NULL)
-- @use ascend2022_calls
-- @layer
-- arrows from the calls that launch single operators to their tasks
SELECT 'connect' AS name, 's' AS ph, o.stream_id || '-' || o.task_id AS id, '2_' || c.pid AS pid, c.tid, c.start_ns / 1000.0 AS ts
FROM call c CROSS JOIN op o ON o.device_id = :device_id AND o.time_ns > c.start_ns AND o.time_ns < c.end_ns
WHERE c.kind = 1 AND c.name IN ('aclopExecute', 'aclopExecuteV2', 'aclopCompileAndExecute')
  AND c.start_ns / 1000.0 >= :_from AND c.start_ns / 1000.0 < :_to{range host c.start_ns; c.start_ns + c.dur_ns}
-- @use ascend2022_runs
-- @layer
SELECT 'connect' AS name, 'f' AS ph, stream_id || '-' || task_id AS id, '7_0' AS pid, stream_id AS tid, start / 1000.0 AS ts,
  'e' AS bp
FROM run WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'api_call' AND s.device_id = :device_id)
  AND stream_id <> 0 AND task_id <> 0 AND start / 1000.0 >= :_from AND start / 1000.0 < :_to{range device start; start + dur} ORDER BY id
