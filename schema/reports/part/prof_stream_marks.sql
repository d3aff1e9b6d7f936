-- Marks that a stream carries, on the host and on the devices, with the arrows between them.
WITH mark AS (
  SELECT message AS name, :_pid_msproftx | 31 AS pid, tid, start_ns, dur_ns, mark_id, event_type, domain, NULL AS stream_id, NULL AS task_id FROM stream_mark
  WHERE start_ns > :_from_ns AND start_ns <= :_to_ns AND start_ns >= :_begin_ns{range host start_ns; start_ns + dur_ns}
  UNION ALL
  SELECT coalesce(m.message, 'N/A'), trace_pid(:_pid, 14, d.device_id), d.stream_id, d.start_ns, d.dur_ns, d.mark_id, NULL, NULL, d.stream_id, d.task_id
  FROM device_mark d LEFT JOIN stream_mark m USING (mark_id) WHERE d.start_ns > :_from_ns AND d.start_ns <= :_to_ns AND d.start_ns >= :_begin_ns
    {range device d.start_ns; d.start_ns + d.dur_ns}{device d.device_id}
), event AS (
  SELECT name AS "name", pid AS "pid", tid AS "tid", us(start_ns + :_wall) AS "ts", dur_ns / 1000.0 AS "dur", 'X' AS "ph", NULL AS "cat", NULL AS "id", NULL AS "bp",
    CASE event_type WHEN 0 THEN 'marker' WHEN 1 THEN 'push/pop' WHEN 2 THEN 'start/end' WHEN 3 THEN 'marker_ex' ELSE event_type END AS "args.event_type",
    domain AS "args.domain", stream_id AS "args.Physic Stream Id", task_id AS "args.Task Id", NULL AS "args.name", NULL AS "args.labels", NULL AS "args.sort_index"
  FROM mark
  UNION ALL
  SELECT 'MsTx_' || (mark_id + 4000000000), pid, tid, us(start_ns + :_wall), NULL, CASE WHEN stream_id IS NULL THEN 's' ELSE 'f' END, 'MsTx',
    CAST(mark_id + 4000000000 AS TEXT), CASE WHEN stream_id IS NOT NULL THEN 'e' END, NULL, NULL, NULL, NULL, NULL, NULL, NULL
  FROM mark
  UNION ALL
  SELECT DISTINCT column1, pid, 0, NULL, NULL, 'M', NULL, NULL, NULL, NULL, NULL, NULL, NULL, CASE column1 WHEN 'process_name' THEN 'Ascend Hardware' END,
    CASE column1 WHEN 'process_labels' THEN 'NPU ' || (pid & 31) END, CASE column1 WHEN 'process_sort_index' THEN 14 END
  FROM mark CROSS JOIN (VALUES ('process_name'), ('process_labels'), ('process_sort_index')) WHERE stream_id IS NOT NULL
  UNION ALL
  SELECT DISTINCT column1, pid, tid, NULL, NULL, 'M', NULL, NULL, NULL, NULL, NULL, NULL, NULL, CASE column1 WHEN 'thread_name' THEN 'Stream ' || tid END, NULL,
    CASE column1 WHEN 'thread_sort_index' THEN tid END
  FROM mark CROSS JOIN (VALUES ('thread_name'), ('thread_sort_index')) WHERE stream_id IS NOT NULL
)
