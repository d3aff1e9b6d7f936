-- The processes and threads of host_event. GeOPExecute has no order of threads.
, host_thread AS (
  SELECT DISTINCT place, process, pid, tid FROM host_event
), host_track AS (
  SELECT DISTINCT place, pid, 0 AS tid, 0 AS n, 'process_name' AS name, process AS text, NULL AS number FROM host_thread
  UNION ALL
  SELECT DISTINCT p.place, p.pid, t.tid, 1, 'thread_name', 'Thread ' || t.tid, NULL FROM host_thread p JOIN host_thread t ON t.place = p.place
  UNION ALL
  SELECT DISTINCT p.place, p.pid, t.tid, 2, 'thread_sort_index', NULL, t.tid FROM host_thread p JOIN host_thread t ON t.place = p.place
  WHERE p.place <> 5
)
