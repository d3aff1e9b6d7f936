-- Names and order of processes and threads of the merged trace. Frequencies occur twice, like their points, but not in the
-- older style; there the host's processes are named for each device.
WITH host_copy AS MATERIALIZED (
  SELECT value FROM numbers((SELECT CASE WHEN :_old_trace THEN max(1, count(*)) ELSE 1 END FROM device))
), device_process(sort_index, name) AS (
  VALUES (:_overlap, 'Overlap Analysis'), (15, 'AI Core Freq'), (14, 'Ascend Hardware')
), process AS (
  SELECT trace_pid(:_pid, p.sort_index + d.after * (p.sort_index = :_overlap), d.device_id) AS pid, p.name, 'NPU ' || d.device_id AS labels,
    p.sort_index + d.after * (p.sort_index = :_overlap) AS sort_index
  FROM device_process p JOIN (SELECT device_id, (:_places >> 4 * device_id & 15) * :_step AS after FROM device) d
  WHERE p.sort_index <> 15 AND EXISTS (SELECT 1 FROM task t WHERE t.device_id = d.device_id AND t.start_ns IS NOT NULL)
  UNION ALL
  SELECT :_pid_freq | d.device_id, 'AI Core Freq', 'NPU ' || d.device_id, 15
  FROM (SELECT DISTINCT device_id FROM told_point) d JOIN numbers(2 - :_old_trace)
  UNION ALL
  SELECT :_pid_cann | 31, 'CANN', 'CPU', 7 FROM host_copy WHERE EXISTS (SELECT 1 FROM api)
), named_thread AS MATERIALIZED (
  SELECT :_pid_overlap + (:_places >> 4 * d.device_id & 15) * :_pid_step | d.device_id AS pid, t.column1 AS tid, t.column2 AS name
  FROM (SELECT device_id FROM device d WHERE EXISTS (SELECT 1 FROM task t WHERE t.device_id = d.device_id AND t.start_ns IS NOT NULL)) d
  JOIN (VALUES (0, 'Computing'), (1, 'Communication'), (2, 'Communication(Not Overlapped)'), (3, 'Free')) t
  UNION ALL
  SELECT :_pid_ascend | device_id, stream_id, 'Stream ' || stream_id FROM stream
  UNION ALL
  SELECT :_pid_cann | 31, t.thread_id, 'Thread ' || t.thread_id || coalesce(' ' || (SELECT max(n.name) FROM thread_name n WHERE n.tid = t.thread_id), '')
  FROM thread t CROSS JOIN host_copy
), track AS (
  SELECT 'process_name' AS "name", pid AS "pid", 0 AS "tid", 'M' AS "ph", name AS "args.name", NULL AS "args.labels", NULL AS "args.sort_index"
  FROM process
  UNION ALL SELECT 'process_labels', pid, 0, 'M', NULL, labels, NULL FROM process
  UNION ALL SELECT 'process_sort_index', pid, 0, 'M', NULL, NULL, sort_index FROM process
  UNION ALL SELECT 'thread_name', pid, tid, 'M', name, NULL, NULL FROM named_thread
  UNION ALL SELECT 'thread_sort_index', pid, tid, 'M', NULL, NULL, tid FROM named_thread WHERE NOT :_old_trace OR trace_process(pid) < :_overlap
)
