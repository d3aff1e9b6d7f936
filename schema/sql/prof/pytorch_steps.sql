-- Steps as torch_npu's database has them: from the first task of the launches within a step to the last one, or the end of the step.
CREATE TEMP TABLE db_step(id INTEGER PRIMARY KEY, step TEXT, start_ns INTEGER, end_ns INTEGER, marked_ns INTEGER, begun_ns INTEGER);
INSERT INTO temp.db_step(step, marked_ns, end_ns)
SELECT s.step, o.start_ns, o.end_ns
FROM temp.op o CROSS JOIN temp.step_name s ON s.id = o.name WHERE o.parent = 0 ORDER BY o.id;
INSERT INTO out.STEP_TIME SELECT step, marked_ns, end_ns FROM temp.db_step ORDER BY id;
DELETE FROM temp.db_step WHERE id > 4096;
CREATE INDEX temp.db_step_by_time ON db_step(marked_ns);
CREATE TEMP TABLE step_task(step INTEGER PRIMARY KEY, start_ns INTEGER, end_ns INTEGER);
INSERT INTO temp.step_task
WITH node AS (
  SELECT a.startNs, a.endNs, min(t.startNs) AS first, max(t.endNs) AS last FROM out.TASK t CROSS JOIN out.CANN_API a ON a.connectionId = t.connectionId WHERE a.type = 10000 GROUP BY t.connectionId
), placed AS (
  SELECT n.*, (SELECT id FROM temp.db_step WHERE marked_ns <= n.startNs ORDER BY marked_ns DESC LIMIT 1) AS step FROM node n
)
SELECT coalesce(s.id, 0), min(p.first), max(p.last) FROM placed p LEFT JOIN temp.db_step s ON s.id = p.step
WHERE p.endNs <= s.end_ns OR NOT EXISTS (SELECT 1 FROM temp.db_step) GROUP BY 1;
UPDATE temp.db_step SET start_ns = coalesce((SELECT start_ns FROM temp.step_task WHERE step = id), marked_ns),
  begun_ns = marked_ns, end_ns = max(end_ns, coalesce((SELECT end_ns FROM temp.step_task WHERE step = id), -1));
INSERT INTO temp.db_step(start_ns, end_ns, begun_ns)
SELECT coalesce((SELECT start_ns FROM temp.step_task WHERE step = 0), 0), 9223372036854775807, (SELECT min(start_ns) FROM temp.torch_api WHERE NOT is_mark)
WHERE NOT EXISTS (SELECT 1 FROM temp.db_step);

-- What ran on each device within each step, by the start. A receiving operation that begins a stretch of communication lasts as long as that.
CREATE TEMP TABLE ran(device INTEGER, communicates INTEGER, is_bubble INTEGER, start_ns INTEGER, end_ns INTEGER);
INSERT INTO temp.ran SELECT t.deviceId, 0, 0, t.startNs, t.endNs FROM out.TASK t CROSS JOIN out.COMPUTE_TASK_INFO c ON c.globalTaskId = t.globalTaskId;
INSERT INTO temp.ran
SELECT t.device, 1, (SELECT value FROM temp.string WHERE id = o.opName) GLOB 'hcom_receive*', o.startNs, o.endNs
FROM (SELECT connectionId, min(deviceId) AS device FROM out.TASK WHERE connectionId IN (SELECT connectionId FROM out.COMMUNICATION_OP) GROUP BY 1 HAVING count(DISTINCT deviceId) = 1) t
JOIN out.COMMUNICATION_OP o ON o.connectionId = t.connectionId ORDER BY o.rowid;
CREATE INDEX temp.ran_by_start ON ran(device, start_ns);
CREATE TEMP TABLE trace_step AS
WITH inside AS (
  SELECT s.id, r.* FROM (SELECT DISTINCT device FROM temp.ran) d CROSS JOIN temp.db_step s CROSS JOIN temp.ran r ON r.device = d.device AND r.start_ns >= s.start_ns AND r.start_ns < s.end_ns
), reached AS (
  SELECT *, coalesce(max(end_ns) OVER (any ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), start_ns) AS before,
    coalesce(max(end_ns) OVER (own ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), start_ns - 1) AS own_before
  FROM inside WINDOW any AS (PARTITION BY device, id ORDER BY start_ns), own AS (PARTITION BY device, id, communicates ORDER BY start_ns)
), grouped AS (
  SELECT *, count(*) FILTER (WHERE start_ns > own_before) OVER (PARTITION BY device, id, communicates ORDER BY start_ns ROWS UNBOUNDED PRECEDING) AS stretch FROM reached
), lasting AS (
  SELECT *, CASE WHEN is_bubble THEN CASE WHEN start_ns > own_before THEN max(end_ns) OVER (PARTITION BY device, id, communicates, stretch) ELSE end_ns END - start_ns ELSE 0 END AS bubble
  FROM grouped
), summed AS (
  SELECT device, id, total_int(max(0, end_ns - max(start_ns, own_before))) FILTER (WHERE NOT communicates) AS computing,
    total_int(max(0, end_ns - max(start_ns, own_before))) FILTER (WHERE communicates) AS communication, total_int(max(0, end_ns - max(start_ns, before))) AS busy,
    max(end_ns) - min(start_ns) AS whole, total_int(bubble) AS bubble, min(start_ns) AS first, min(start_ns) FILTER (WHERE NOT communicates) AS computed
  FROM lasting GROUP BY device, id
)
SELECT d.device, s.id, s.step, coalesce(computing, 0) AS computing, coalesce(busy - coalesce(computing, 0), 0) AS alone, coalesce(communication, 0) AS communication,
  coalesce(whole - busy, 0) AS free, coalesce(whole - bubble, 0) AS stage, coalesce(bubble, 0) AS bubble, CASE WHEN computed THEN coalesce(first - s.begun_ns, 0) ELSE 0 END AS preparing
FROM (SELECT DISTINCT device FROM temp.ran) d CROSS JOIN temp.db_step s LEFT JOIN summed m ON m.device = d.device AND m.id = s.id ORDER BY d.device, s.id;
