-- @family prof
-- @needs tasks
-- @form array
-- @file trace_view
-- @use prof_stamp
-- @each
SELECT *, 0 AS _alone FROM stamp
-- @leave
SELECT column1 FROM (VALUES ('CANN'), ('AscendCL'), ('Runtime'), ('GE'), ('Node'), ('Model'), ('Hccl'), ('acl_to_npu'), ('Communication@'))
WHERE (SELECT level FROM temp.profile) = 'Level0'
-- @rows
SELECT 'X' AS "ph", coalesce(word('framework_text', 'text', t.name), '') AS "name", t.pid AS "pid", t.thread_id AS "tid",
  us(CASE WHEN c.counts THEN CAST((t.start_count - c.first) * c.ratio AS INTEGER) ELSE t.start_count END + c.ns) AS "ts",
  (CASE WHEN c.counts THEN CAST((t.end_count - c.first) * c.ratio AS INTEGER) - CAST((t.start_count - c.first) * c.ratio AS INTEGER) ELSE t.end_count - t.start_count END) / 1000.0 AS "dur",
  'cpu_op' AS "cat", t.sequence AS "args.Sequence number", t.forward_thread AS "args.Fwd thread id", word('trace_text', 'text', t.shapes) AS "args.Input Dims",
  word('trace_text', 'text', t.types) AS "args.Input type", word('trace_text', 'text', t.stack) AS "args.Call stack",
  t.modules AS "args.Module Hierarchy", t.flops AS "args.flops"
FROM temp.torch_op t CROSS JOIN temp.host_count c WHERE (SELECT has_cpu FROM temp.profile) ORDER BY t.rowid
-- @layer
SELECT CASE e.column1 WHEN 0 THEN 'X' WHEN 1 THEN CASE WHEN q.taken THEN 'f' ELSE 's' END END AS "ph", CASE WHEN e.column1 THEN 'e' END AS "bp",
  CASE WHEN e.column1 THEN 'enqueue_to_dequeue' WHEN q.taken THEN 'Dequeue@' || word('framework_text', 'text', q.name)
    ELSE 'Enqueue' || coalesce('@' || word('framework_text', 'text',
      (SELECT name FROM temp.queued d WHERE d.taken = 1 AND d.correlation_id = q.correlation_id ORDER BY d.id DESC LIMIT 1)), '') END AS "name",
  CASE WHEN e.column1 THEN q.correlation_id END AS "id", q.pid AS "pid", q.thread_id AS "tid", us(q.start_ns) AS "ts", CASE e.column1 WHEN 0 THEN (q.end_ns - q.start_ns) / 1000.0 END AS "dur",
  CASE WHEN e.column1 THEN 'async_task_queue' WHEN q.taken THEN 'dequeue' ELSE 'enqueue' END AS "cat", CASE e.column1 WHEN 0 THEN q.correlation_id END AS "args.correlation_id"
FROM temp.queued q CROSS JOIN (VALUES (0), (1)) e WHERE (SELECT has_cpu FROM temp.profile) ORDER BY q.taken DESC, q.id, e.column1
-- @layer
WITH seen AS (
  SELECT thread_id, 0 AS part, min(record) AS at FROM temp.op GROUP BY thread_id
  UNION ALL SELECT thread_id, 2 - taken, min(id) FROM temp.queued WHERE (SELECT has_cpu FROM temp.profile) GROUP BY taken, thread_id
), thread AS (
  SELECT thread_id, min(part) AS part, row_number() OVER (ORDER BY min(part << 48 | at)) AS place, max(part = 1) > max(part = 2) AS takes FROM seen GROUP BY thread_id
), all_thread AS (
  SELECT thread_id, place, takes FROM thread
  UNION ALL SELECT thread_id, 1000000000 + min(id), 0 FROM temp.python_event WHERE thread_id NOT IN (SELECT thread_id FROM thread) GROUP BY thread_id
), process AS (
  SELECT coalesce((SELECT pid FROM temp.torch_op ORDER BY rowid LIMIT 1), (SELECT pid FROM temp.queued ORDER BY taken, id LIMIT 1)) AS pid FROM temp.profile WHERE has_cpu
)
SELECT 'M' AS "ph", name AS "name", pid AS "pid", tid AS "tid", named AS "args.name", labels AS "args.labels", sort_index AS "args.sort_index"
FROM (
  SELECT 0 AS place, 'process_name' AS name, 0 AS tid, 'Python' AS named, NULL AS labels, NULL AS sort_index
  UNION ALL SELECT 0, 'process_labels', 0, NULL, 'CPU', NULL UNION ALL SELECT 0, 'process_sort_index', 0, NULL, NULL, 0
  UNION ALL SELECT place, 'thread_name', thread_id, 'Thread ' || thread_id, NULL, NULL FROM all_thread
  UNION ALL SELECT place, 'thread_sort_index', thread_id, NULL, NULL, CASE WHEN takes THEN (SELECT max(thread_id) + 1 FROM all_thread) ELSE thread_id END FROM all_thread
) CROSS JOIN process WHERE pid IS NOT NULL ORDER BY place
-- @layer
WITH half AS (
  SELECT o.sequence, o.forward_thread <> 0 AS back, o.pid, o.thread_id, o.start_ns, min(o.record) OVER w AS seen, o.record = first_value(o.record) OVER w AS is_last
  FROM temp.op o WHERE o.sequence >= 0
  WINDOW w AS (PARTITION BY o.sequence, o.forward_thread <> 0 ORDER BY o.start_ns DESC, o.record ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
), last AS MATERIALIZED (
  SELECT * FROM half WHERE is_last
)
SELECT CASE e.column1 WHEN 0 THEN 's' ELSE 'f' END AS "ph", 'e' AS "bp", 'fwdbwd' AS "name", f.sequence AS "id", CASE e.column1 WHEN 0 THEN f.pid ELSE b.pid END AS "pid",
  CASE e.column1 WHEN 0 THEN f.thread_id ELSE b.thread_id END AS "tid", us(CASE e.column1 WHEN 0 THEN f.start_ns ELSE b.start_ns END) AS "ts", 'fwdbwd' AS "cat"
FROM last f JOIN last b ON b.sequence = f.sequence AND b.back CROSS JOIN (VALUES (0), (1)) e
WHERE NOT f.back AND f.thread_id <> b.thread_id ORDER BY min(f.seen, b.seen), e.column1
-- @layer
SELECT 'X' AS "ph", name AS "name", pid AS "pid", thread_id AS "tid", us(start_ns) AS "ts", (end_ns - start_ns) / 1000.0 AS "dur", 'python_function' AS "cat",
  number AS "args.Python id", parent AS "args.Python parent id", module AS "args.Python module id"
FROM temp.python_event ORDER BY id
-- @layer
SELECT 'X' AS "ph", 'GC' AS "name", coalesce(trace_pid(g.pid, 1, (SELECT min(device_id) FROM device)), -1) AS "pid", g.pid AS "tid",
  us(CASE WHEN c.counts THEN CAST((g.start_count - c.first) * c.ratio AS INTEGER) ELSE g.start_count END + c.ns) AS "ts",
  (CASE WHEN c.counts THEN CAST((g.end_count - c.first) * c.ratio AS INTEGER) - CAST((g.start_count - c.first) * c.ratio AS INTEGER) ELSE g.end_count - g.start_count END) / 1000.0 AS "dur",
  'GC' AS "cat", 1 AS "args"
FROM temp.host_count c CROSS JOIN temp.garbage g WHERE (SELECT has_cpu FROM temp.profile) ORDER BY g.rowid
-- @layer
SELECT 'M' AS "ph", e.column1 AS "name", coalesce(trace_pid(g.pid, 1, (SELECT min(device_id) FROM device)), -1) AS "pid", CASE WHEN e.column1 GLOB 'thread*' THEN g.pid ELSE 0 END AS "tid",
  CASE WHEN e.column1 GLOB '*_name' THEN 'Python GC' END AS "args.name", CASE WHEN e.column1 GLOB '*labels' THEN 'CPU' END AS "args.labels",
  CASE e.column1 WHEN 'process_sort_index' THEN 1 WHEN 'thread_sort_index' THEN g.pid END AS "args.sort_index"
FROM temp.garbage g CROSS JOIN (VALUES ('process_name'), ('process_labels'), ('process_sort_index'), ('thread_name'), ('thread_sort_index')) e
WHERE g.rowid = 1 AND (SELECT has_cpu FROM temp.profile)
-- @include timeline/prof/msprof
-- @layer
SELECT CASE e.column1 WHEN 0 THEN 's' ELSE 'f' END AS "ph", 'e' AS "bp", 'torch_to_npu' AS "name", k.start_ns AS "id",
  CASE WHEN e.column1 = 0 THEN o.pid WHEN k.communicates THEN :_pid_communication | k.device_id ELSE :_pid_ascend | k.device_id END AS "pid",
  CASE e.column1 WHEN 0 THEN o.thread_id ELSE k.track END AS "tid", us(CASE e.column1 WHEN 0 THEN o.start_ns ELSE k.start_ns END) AS "ts", 'async_npu' AS "cat"
FROM temp.asked a CROSS JOIN temp.op o ON o.id = a.op_id CROSS JOIN temp.kernel k ON k.key = a.key CROSS JOIN (VALUES (0), (1)) e
ORDER BY CASE WHEN (SELECT has_queue FROM temp.profile) THEN a.op_id END, a.place, k.launch_ns, k.id, e.column1
