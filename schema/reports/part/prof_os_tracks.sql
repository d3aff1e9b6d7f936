-- The process of the calls to the system and its threads.
WITH thread AS (SELECT DISTINCT tid FROM os_call WHERE start_ns >= :_begin_ns ORDER BY tid), track AS (
  SELECT 'process_name' AS "name", trace_pid(:_pid, 13, 31) AS "pid", 0 AS "tid", 'M' AS "ph", 'OS Runtime API' AS "args.name", NULL AS "args.labels", NULL AS "args.sort_index"
  WHERE EXISTS (SELECT 1 FROM thread)
  UNION ALL SELECT 'process_labels', trace_pid(:_pid, 13, 31), 0, 'M', NULL, 'CPU', NULL WHERE EXISTS (SELECT 1 FROM thread)
  UNION ALL SELECT 'process_sort_index', trace_pid(:_pid, 13, 31), 0, 'M', NULL, NULL, 13 WHERE EXISTS (SELECT 1 FROM thread)
  UNION ALL SELECT 'thread_name', trace_pid(:_pid, 13, 31), tid, 'M', 'Thread ' || tid, NULL, NULL FROM thread
)
