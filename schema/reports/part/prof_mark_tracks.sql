-- The process of the marks and its threads.
WITH thread AS (SELECT DISTINCT tid FROM msproftx ORDER BY tid), track AS (
  SELECT 'process_name' AS "name", :_pid_msproftx | 31 AS "pid", 0 AS "tid", 'M' AS "ph",
    (SELECT json_extract(text, '$.pid_name') FROM control WHERE name = 'info.json' AND text IS NOT NULL ORDER BY device_id IS NOT NULL LIMIT 1) AS "args.name",
    NULL AS "args.labels", NULL AS "args.sort_index"
  WHERE EXISTS (SELECT 1 FROM thread)
  UNION ALL SELECT 'process_labels', :_pid_msproftx | 31, 0, 'M', NULL, 'CPU', NULL WHERE EXISTS (SELECT 1 FROM thread)
  UNION ALL SELECT 'process_sort_index', :_pid_msproftx | 31, 0, 'M', NULL, NULL, 6 WHERE EXISTS (SELECT 1 FROM thread)
  UNION ALL SELECT 'thread_name', :_pid_msproftx | 31, tid, 'M', 'Thread ' || tid || coalesce(' ' || (SELECT max(name) FROM thread_name n WHERE n.tid = thread.tid), ''), NULL, NULL FROM thread
  UNION ALL SELECT 'thread_sort_index', :_pid_msproftx | 31, tid, 'M', NULL, NULL, tid FROM thread
)
