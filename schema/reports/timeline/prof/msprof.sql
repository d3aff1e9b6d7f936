-- @family prof
-- @style any
-- @form array
-- @file msprof_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall, _pid, _off, _from_ns, _to_ns FROM stamp
-- @use prof_marks
-- @rows
SELECT * FROM mark WHERE (:_off >> 6) & 1 = 0
-- @use prof_mark_tracks
-- @layer
SELECT * FROM track WHERE (:_off >> (("pid" >> 5) & 31)) & 1 = 0
-- @use prof_tracks
-- @layer
SELECT * FROM track WHERE (:_off >> (("pid" >> 5) & 31)) & 1 = 0
-- @use prof_overlap
-- @layer
SELECT CASE kind WHEN 0 THEN 'Computing' ELSE 'Free' END AS "name", (:_pid << 10) | (31 << 5) | device_id AS "pid", kind AS "tid",
  us(start_ns + :_wall) AS "ts", (end_ns - start_ns) / 1000.0 AS "dur", 'X' AS "ph", 1 AS "args"
FROM overlap WHERE (:_off >> 31) & 1 = 0 AND end_ns > :_from_ns AND start_ns <= :_to_ns
-- @use prof_frequency
-- @layer
SELECT 'AI Core Freq' AS "name", (:_pid << 10) | (15 << 5) | device_id AS "pid", 0 AS "tid", us(time_ns + :_wall) AS "ts",
  'C' AS "ph", mhz AS "args.MHz"
FROM point CROSS JOIN (SELECT 1 AS copy UNION ALL SELECT 2)
WHERE (:_off >> 15) & 1 = 0 AND time_ns > :_from_ns AND time_ns <= :_to_ns ORDER BY device_id, copy, number
-- @use prof_tasks
-- @layer
SELECT name AS "name", (:_pid << 10) | (14 << 5) | device_id AS "pid", stream_id AS "tid", us(start_ns + :_wall) AS "ts",
  dur_ns / 1000.0 AS "dur", 'X' AS "ph", model_id AS "args.Model Id", device_type AS "args.Task Type",
  stream_id AS "args.Physic Stream Id", task_id AS "args.Task Id", batch_id AS "args.Batch Id", context_id AS "args.Subtask Id",
  coalesce(connection_id, 4294967295) AS "args.connection_id"
FROM run WHERE (:_off >> 14) & 1 = 0 AND start_ns + dur_ns > :_from_ns AND start_ns + dur_ns <= :_to_ns ORDER BY id
-- @layer
SELECT 'HostToDevice' || (connection_id << 32) AS "name", (:_pid << 10) | (14 << 5) | device_id AS "pid", stream_id AS "tid",
  'f' AS "ph", 'HostToDevice' AS "cat", CAST(connection_id << 32 AS TEXT) AS "id", us(start_ns + :_wall) AS "ts", 'e' AS "bp"
FROM task WHERE connection_id IS NOT NULL AND (:_off & ((1 << 14) | (1 << 7))) = 0 AND start_ns + dur_ns > :_from_ns AND start_ns + dur_ns <= :_to_ns ORDER BY id
-- @use prof_api
-- @layer
SELECT title AS "name", (:_pid << 10) | (7 << 5) | 31 AS "pid", thread_id AS "tid", us(start_ns + :_wall) AS "ts",
  dur_ns / 1000.0 AS "dur", 'X' AS "ph", thread_id AS "args.Thread Id", mode AS "args.Mode", level AS "args.level",
  id AS "args.id", item AS "args.item_id", connection_id AS "args.connection_id"
FROM call WHERE (:_off >> 7) & 1 = 0 AND start_ns > :_from_ns AND start_ns <= :_to_ns
-- @layer
SELECT 'HostToDevice' || (a.connection_id << 32) AS "name", (:_pid << 10) | (7 << 5) | 31 AS "pid", a.thread_id AS "tid",
  's' AS "ph", 'HostToDevice' AS "cat", CAST(a.connection_id << 32 AS TEXT) AS "id", us(a.start_ns + :_wall) AS "ts"
FROM task t JOIN api a ON a.connection_id = t.connection_id WHERE CASE WHEN (:_off & ((1 << 14) | (1 << 7))) = 0 AND t.start_ns + t.dur_ns > :_from_ns AND t.start_ns + t.dur_ns <= :_to_ns
  THEN first('flow', t.connection_id) END
-- @use prof_samples
-- @layer
SELECT 'process_name' AS "name", (:_pid << 10) | (sort_index << 5) | 31 AS "pid", 0 AS "tid", 'M' AS "ph", track AS "args.name"
FROM (SELECT DISTINCT sort_index, track FROM curve WHERE (:_off >> sort_index) & 1 = 0)
-- @use prof_samples
-- @layer
SELECT name AS "name", (:_pid << 10) | (sort_index << 5) | 31 AS "pid", 0 AS "tid", us(time_ns + :_wall) AS "ts", 'C' AS "ph",
  CASE sort_index WHEN 9 THEN value END AS "args.Usage(%)", CASE sort_index WHEN 10 THEN value END AS "args.KB"
FROM curve WHERE (:_off >> sort_index) & 1 = 0 AND time_ns > :_from_ns AND time_ns <= :_to_ns
