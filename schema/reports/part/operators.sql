-- Time by (layer type, stream, task type) over the tasks of one inference of :device_id and :model_id. A fused
-- task counts once for each of its layers, with its whole time. Layers without a type share one row.
WITH task AS (
  SELECT s.net_id, t.task_id, t.stream_id, 'CORE' AS unit, t.end_tick - t.start_tick AS ticks
  FROM source s CROSS JOIN aicore_task t
  WHERE s.target = 'aicore_task' AND t.rowid BETWEEN s.first_row AND s.last_row
    AND s.device_id = :device_id AND s.model_id IS :model_id AND s.current_pic IS :current_pic
  UNION ALL
  SELECT s.net_id, t.task_id, t.stream_id, 'CPU', t.end_tick - t.start_tick
  FROM source s CROSS JOIN aicpu_task t
  WHERE s.target = 'aicpu_task' AND t.rowid BETWEEN s.first_row AND s.last_row
    AND s.device_id = :device_id AND s.model_id IS :model_id AND s.current_pic IS :current_pic
), operator AS (
  SELECT l.type, t.stream_id, t.unit, total_int(t.ticks) AS ticks, count(*) AS count,
    max(t.ticks) AS longest, min(t.ticks) AS shortest
  FROM task t
  LEFT JOIN layer l ON l.net_id = t.net_id AND l.task_id = t.task_id AND l.stream_id = t.stream_id
  GROUP BY l.type, t.stream_id, t.unit
), ranked AS (
  SELECT row_number() OVER (ORDER BY type IS NULL, type, stream_id, unit) - 1 AS number, type, stream_id,
    CASE :style WHEN 'vendor' THEN 'AI_' ELSE 'AA_' END || unit AS task_type,
    decimal(ticks * 100, (SELECT total_int(ticks) FROM operator), 2) AS ratio,
    decimal(ticks * 100, :_frequency, 2) AS total_us, count,
    decimal(ticks * 100, count * :_frequency, 4) AS avg_us,
    decimal(longest * 100, :_frequency, 2) AS max_us, decimal(shortest * 100, :_frequency, 2) AS min_us
  FROM operator ORDER BY number
)
