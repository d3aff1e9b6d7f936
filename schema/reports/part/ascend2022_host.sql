-- Calls of the host beside those of ACL: marks of the application, phases of models, the framework's scheduling, calls of the
-- runtime. place is the number of their track in a trace of all, :_place the one to read (NULL: all).
WITH host_call AS (
  SELECT t.place, t.pid, t.process, s.first_row, s.last_row FROM device_track t JOIN source s ON s.target = t.target
  WHERE t.device_id = :device_id AND t.place < 7 AND t.place = coalesce(:_place, t.place) AND s.records > 0
    AND (s.device_id = :device_id OR s.device_id IS NULL AND NOT coalesce(:_own, 0)) -- :_own: only those of the device itself
), host_event AS (
  SELECT h.place, h.process, x.process_id AS pid, x.thread_id AS tid, coalesce(x.message, '') AS name, x.start_ns, x.dur_ns,
    NULL AS kind, NULL AS model, NULL AS model_id, NULL AS bytes, NULL AS direction, NULL AS stream_id, NULL AS tasks,
    CAST(x.category AS TEXT) AS category, x.payload_type, x.payload_value, x.message_type,
    coalesce(pick(x.event_type, 'marker', 'push/pop', 'start/end'), '') AS event_type
  FROM host_call h CROSS JOIN msproftx x WHERE h.place = 0 AND x.rowid BETWEEN h.first_row AND h.last_row
  UNION ALL
  SELECT h.place, h.process, h.pid, x.thread_id, p.column2, pick(p.column1, x.input_ns, x.infer_ns, x.output_ns),
    pick(p.column1, x.input_dur_ns, x.infer_dur_ns, x.output_dur_ns), NULL, coalesce(x.name, ''), x.model_id,
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
  FROM host_call h CROSS JOIN model_time x CROSS JOIN (VALUES (0, 'Input'), (1, 'Infer'), (2, 'Output')) p
  WHERE h.place = 4 AND x.rowid BETWEEN h.first_row AND h.last_row
  UNION ALL
  SELECT h.place, h.process, h.pid, x.thread_id, coalesce((SELECT d.name FROM hash_dic d WHERE d.hash = n.event ORDER BY d.rowid DESC LIMIT 1), n.event),
    x.start_ns, x.dur_ns, coalesce((SELECT d.name FROM hash_dic d WHERE d.hash = n.element ORDER BY d.rowid DESC LIMIT 1), n.element),
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
  FROM host_call h CROSS JOIN host_sch x CROSS JOIN host_sch_hash n ON n.row = x.rowid WHERE h.place = 5 AND x.rowid BETWEEN h.first_row AND h.last_row
  UNION ALL
  SELECT h.place, h.process, h.pid, x.thread_id, coalesce(x.name, 'N/A'), x.start_ns, x.dur_ns, NULL, NULL, NULL, nullif(x.data_size, 0),
    pick(x.direction, 'host to host', 'host to device', 'device to host', 'device to device'), x.stream_id,
    substr(CASE WHEN x.task_num > 0 THEN ',' || x.task1_id ELSE '' END || CASE WHEN x.task_num > 1 THEN ',' || x.task2_id ELSE '' END
      || CASE WHEN x.task_num > 2 THEN ',' || x.task3_id ELSE '' END || CASE WHEN x.task_num > 3 THEN ',' || x.task4_id ELSE '' END
      || CASE WHEN x.task_num > 4 THEN ',' || x.task5_id ELSE '' END || CASE WHEN x.task_num > 5 THEN ',' || x.task6_id ELSE '' END
      || CASE WHEN x.task_num > 6 THEN ',' || x.task7_id ELSE '' END || CASE WHEN x.task_num > 7 THEN ',' || x.task8_id ELSE '' END
      || CASE WHEN x.task_num > 8 THEN ',' || x.task9_id ELSE '' END || CASE WHEN x.task_num > 9 THEN ',' || x.task10_id ELSE '' END, 2),
    NULL, NULL, NULL, NULL, NULL
  FROM host_call h CROSS JOIN runtime_api x WHERE h.place = 6 AND x.rowid BETWEEN h.first_row AND h.last_row
)
