-- @form array
-- @file ai_stack_time_{device_id}_{scope}
-- @use ascend2022_scope
-- @each
SELECT *, (SELECT s.pid FROM setting s WHERE s.device_id = scope.device_id) AS _pid,
  max((SELECT count(*) FROM step s WHERE s.device_id = scope.device_id AND s.id <= scope._step), 1) AS _n
FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target IN ('api_call', 'hwts_event') AND s.device_id = scope.device_id AND s.records > 0)
-- @rows
SELECT 'process_name' AS name, :_pid AS pid, 0 AS tid, 'AI Stack Time' AS "args.name", 'M' AS ph
-- @layer
SELECT 'thread_name' AS name, :_pid AS pid, column1 AS tid, column2 AS "args.name", 'M' AS ph
FROM (VALUES (0, 'AscendCL'), (1, 'GE'), (2, 'Runtime'), (3, 'Task Scheduler'))
-- @use ascend2022_runs
-- @use ascend2022_stack
-- @layer
SELECT coalesce(h.name, 'N/A') AS name, :_pid AS pid, 0 AS tid, h.start_ns / 1000 AS ts, h.dur_ns / 1000 AS dur,
  :_n AS "args.Iter ID", h.start_ns AS "args.Start Time", h.start_ns + h.dur_ns AS "args.End Time", h.dur_ns AS "args.Duration Time(ns)",
  'X' AS ph
FROM stack e CROSS JOIN scheduled s CROSS JOIN host h ON h.start_ns >= e.start_ns AND h.start_ns <= s.start + s.dur OR h.row = e.row
WHERE 1{range host h.start_ns; h.start_ns + h.dur_ns} ORDER BY h.row
-- @use ascend2022_runs
-- @use ascend2022_stack
-- @layer
SELECT name, :_pid AS pid, 1 AS tid, start_ns / 1000 AS ts, max(dur_ns, 0) / 1000 AS dur, :_n AS "args.Iter ID", start_ns AS "args.Start Time",
  start_ns + dur_ns AS "args.End Time", dur_ns AS "args.Duration Time(ns)", 'X' AS ph
FROM phase WHERE 1{range host start_ns; start_ns + dur_ns}
-- @use ascend2022_runs
-- @use ascend2022_stack
-- @layer
-- a task has the name of its turn in the iteration, which begins when the task of a stream does not exceed the one before
, placed AS (
  SELECT *, CAST(total(falls) OVER (PARTITION BY stream_id ORDER BY id) AS INTEGER) AS turn
  FROM (SELECT *, task_id <= lag(task_id) OVER (PARTITION BY stream_id ORDER BY id) AS falls FROM run)
)
SELECT coalesce(word('op', 'name', k.op_id), 'N/A') AS name, :_pid AS pid, 3 AS tid, CAST(p.start AS INTEGER) / 1000 AS ts,
  max(CAST(p.dur AS INTEGER), 0) / 1000 AS dur, :_n AS "args.Iter ID",
  CASE WHEN p.start = CAST(p.start AS INTEGER) THEN CAST(p.start AS INTEGER) ELSE p.start END AS "args.Start Time",
  CAST(p.start AS INTEGER) + CAST(p.dur AS INTEGER) AS "args.End Time",
  CASE WHEN p.dur = CAST(p.dur AS INTEGER) THEN CAST(p.dur AS INTEGER) ELSE p.dur END AS "args.Duration Time(ns)",
  '' AS "args.Total Time(ms)", 'X' AS ph
FROM placed p LEFT JOIN op_turn k ON k.device_id = :device_id AND k.stream_id = p.stream_id AND k.task_id = p.task_id AND k.turn = p.turn
WHERE EXISTS (SELECT 1 FROM scheduled) AND EXISTS (SELECT 1 FROM aicore_pmu) AND :_exports IS NOT 'none'{range device p.start; p.start + p.dur} ORDER BY p.id
