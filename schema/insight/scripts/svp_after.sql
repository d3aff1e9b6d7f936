-- The inferences in order of time, and their names.
CREATE TEMP TABLE step AS
SELECT w.id, f.grp, f.device_id, f.current_pic AS label, w.start_ns, w.end_ns, w.end_ns - w.start_ns AS span_ns, w.idle_ns, w.gaps,
  row_number() OVER (PARTITION BY f.grp ORDER BY w.start_ns, w.id) AS number
FROM temp.window w JOIN (SELECT DISTINCT step, grp, device_id, current_pic FROM temp.step_file) f ON f.step = w.id;

CREATE TEMP TABLE step_group AS
SELECT DISTINCT grp AS id, device_id, model, model_id, net_id, coalesce(model, 'unknown model')
    || CASE WHEN (SELECT count(*) FROM device) > 1 THEN ' on device ' || device_id ELSE '' END AS title,
  'inference' AS what
FROM temp.step_file;

CREATE TEMP TABLE op_name(id INTEGER PRIMARY KEY, name, type, converts, number);
INSERT INTO temp.op_name
SELECT o.id, coalesce(n.oris, n.names, CASE WHEN o.is_rest THEN 'other operators' ELSE 'task ' || o.k2 END) AS name, n.types AS type,
  coalesce(c.converts, 0) AS converts, o.k2 AS number
FROM temp.operator o LEFT JOIN temp.step_group g ON g.id = o.k1 AND NOT o.is_rest
LEFT JOIN op n ON n.net_id = g.net_id AND n.task_id = o.k2 AND n.stream_id = o.k3
LEFT JOIN temp.op_class c ON c.k1 = o.k1 AND c.k2 = o.k2 AND c.k3 = o.k3;
CREATE INDEX temp.operator_by_key ON operator(k1, k2, k3, k4);

-- The idle time before an inference, where the inference before it on the device was sampled, too.
CREATE TEMP TABLE between_steps AS
SELECT grp, label, start_ns - before_ns AS gap_ns FROM (
  SELECT grp, label, start_ns, max(end_ns) OVER d AS before_ns, label - lag(label) OVER (PARTITION BY grp ORDER BY start_ns, id) AS pics
  FROM temp.step WINDOW d AS (PARTITION BY device_id ORDER BY start_ns, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
WHERE pics = 1 AND before_ns IS NOT NULL;

-- Tasks of the core by their rows.
CREATE TEMP VIEW named_task AS SELECT row, name, type, task_id AS number FROM main.tasks WHERE task_type = 'AA_CORE';

-- The calls that execute a model: the n-th of them is around the n-th inference where their numbers are equal, and they take as long at least.
CREATE TEMP TABLE host_call AS
SELECT g.id AS grp, c.calls, c.total_ns, p.steps, p.total_ns AS span_ns, c.calls = p.steps AND c.total_ns >= p.total_ns AS is_around
FROM temp.step_group g
JOIN (SELECT grp, count(*) AS steps, total_int(span_ns) AS total_ns FROM temp.step GROUP BY grp) p ON p.grp = g.id
LEFT JOIN (SELECT s.device_id, s.model, s.model_id, count(*) AS calls, total_int(c.dur_ns) AS total_ns
  FROM source s CROSS JOIN api_call c ON c.rowid BETWEEN s.first_row AND s.last_row
  WHERE s.target = 'api_call' AND c.type = 2 AND c.name LIKE '%mdl\_execute' ESCAPE '\' GROUP BY s.device_id, s.model, s.model_id) c
  ON c.device_id = g.device_id AND c.model IS g.model AND c.model_id IS g.model_id;

-- Where the host was in a gap: not known, its clock is another.
CREATE TEMP TABLE gap_host(gap INTEGER PRIMARY KEY, name TEXT);

-- The axis of the samples of the board, for the page: where there are tasks, the first call is at the first task.
CREATE TEMP TABLE board_axis AS
SELECT CASE WHEN call_ns IS NULL OR task_ns IS NULL THEN 0 ELSE task_ns - call_ns END AS shift_ns, coalesce(task_ns, call_ns, 0) AS begin_ns
FROM (SELECT (SELECT min(start_ns) FROM api_call) AS call_ns,
  (SELECT min(start_ns) FROM (SELECT start_ns FROM aicore_task UNION ALL SELECT start_ns FROM aicpu_task)) AS task_ns)
WHERE EXISTS (SELECT 1 FROM board_sample);
