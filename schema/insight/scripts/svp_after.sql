-- The inferences in order of time, and their names.
CREATE TEMP TABLE step AS
SELECT w.id, f.grp, f.device_id, f.current_pic AS label, w.start_ns, w.end_ns, CAST(w.end_ns - w.start_ns AS INTEGER) AS span_ns, w.idle_ns, w.gaps,
  row_number() OVER (PARTITION BY f.grp ORDER BY w.start_ns, w.id) AS number
FROM temp.window w JOIN (SELECT step, grp, device_id, current_pic FROM temp.step_file GROUP BY step) f ON f.step = w.id;

CREATE TEMP TABLE step_group AS
SELECT grp AS id, device_id, model, model_id, net_id, coalesce(model, 'unknown model')
    || CASE WHEN count(*) OVER (PARTITION BY model, device_id) > 1 THEN ', id ' || model_id ELSE '' END
    || CASE WHEN (SELECT count(*) FROM device) > 1 THEN ' on device ' || device_id ELSE '' END AS title,
  'inference' AS what
FROM (SELECT DISTINCT grp, device_id, model, model_id, net_id FROM temp.step_file);
CREATE INDEX temp.step_group_by_id ON step_group(id);

CREATE TEMP TABLE op_name(id INTEGER PRIMARY KEY, name, type, converts, number);
INSERT INTO temp.op_name
SELECT o.id, coalesce(n.oris, n.names, CASE WHEN o.is_rest THEN 'other operators' ELSE 'task ' || o.k2
    || CASE WHEN o.k4 = 0 AND o.k3 & 4294967295 BETWEEN 1 AND 4294967294 AND EXISTS (SELECT 1 FROM meta WHERE key = 'one_clock')
      THEN ' of net ' || (o.k3 & 4294967295) ELSE '' END END) AS name, n.types AS type,
  coalesce(c.converts, 0) AS converts, o.k2 AS number
FROM temp.operator o LEFT JOIN temp.step_group g ON g.id = o.k1 AND NOT o.is_rest
LEFT JOIN op n ON n.net_id = g.net_id AND n.task_id = o.k2 AND n.seg_id = iif(o.k4 = 1, -1, o.k3 & 4294967295)
LEFT JOIN temp.op_class c ON c.k1 = o.k1 AND c.k2 = o.k2 AND c.k3 = o.k3 AND c.k4 = o.k4;
CREATE INDEX temp.operator_by_key ON operator(k1, k2, k3, k4);

-- The idle time before an inference, where the inference before it on the device was sampled, too.
CREATE TEMP TABLE between_steps AS
SELECT grp, label, start_ns - before_ns AS gap_ns FROM (
  SELECT grp, label, start_ns, max(end_ns) OVER d AS before_ns, label - lag(label) OVER (PARTITION BY grp ORDER BY start_ns, id) AS pics
  FROM temp.step WINDOW d AS (PARTITION BY device_id ORDER BY start_ns, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
WHERE pics = 1 AND before_ns IS NOT NULL;

-- Tasks of the core by their rows.
CREATE TEMP VIEW named_task AS
SELECT t.rowid AS row, coalesce(o.oris, o.names) AS name, o.types AS type, t.task_id AS number
FROM aicore_task t CROSS JOIN temp.step_file f ON f.target = 'aicore_task' AND t.rowid BETWEEN f.first_row AND f.last_row
LEFT JOIN op o ON o.net_id = f.net_id AND o.task_id = t.task_id AND o.seg_id = t.seg_id;

-- The calls that executed sampled inferences: steps, calls that were open until the tasks had ended, and how long the tasks began after their call.
CREATE TEMP TABLE host_call AS
SELECT s.grp, count(*) AS steps, count(*) FILTER (WHERE is_around) AS calls, total_int(dur_ns) FILTER (WHERE is_around) AS total_ns,
  total_int(span_ns) FILTER (WHERE is_around) AS span_ns, min(dur_ns - span_ns) FILTER (WHERE is_around) AS shortest_ns,
  max(dur_ns - span_ns) FILTER (WHERE is_around) AS longest_ns, count(call_ns) AS launches, total_int(start_ns - call_ns) AS launch_ns
FROM (SELECT s.*, c.start_ns AS call_ns, c.dur_ns, c.name NOT LIKE '%async' AND c.start_ns + c.dur_ns >= s.end_ns AS is_around
      FROM temp.step s LEFT JOIN temp.step_call c ON c.step = s.id) s GROUP BY s.grp;
CREATE UNIQUE INDEX temp.host_call_by_group ON host_call(grp);

-- Where the host was in a gap: in the call that executed the model, if it was still open.
CREATE TEMP TABLE gap_host(gap INTEGER PRIMARY KEY, name TEXT);
INSERT INTO temp.gap_host
SELECT g.rowid, c.name FROM temp.gap g JOIN temp.step_call c ON c.step = g.window AND g.start_ns BETWEEN c.start_ns AND c.start_ns + c.dur_ns;

-- The axis of the samples of the board, for the page: that of the calls. Where their clock is not that of the tasks, the first call is at the first task.
CREATE TEMP TABLE board_axis AS
SELECT CASE WHEN call_ns IS NULL OR task_ns IS NULL OR EXISTS (SELECT 1 FROM meta WHERE key = 'one_clock') THEN 0 ELSE task_ns - call_ns END AS shift_ns,
  coalesce(CASE WHEN EXISTS (SELECT 1 FROM meta WHERE key = 'one_clock') THEN min(call_ns, task_ns) END, task_ns, call_ns, 0) AS begin_ns
FROM (SELECT (SELECT min(start_ns) FROM api_call) AS call_ns,
  (SELECT min(start_ns) FROM (SELECT start_ns FROM aicore_task UNION ALL SELECT start_ns FROM aicpu_task)) AS task_ns)
WHERE EXISTS (SELECT 1 FROM board_sample);
