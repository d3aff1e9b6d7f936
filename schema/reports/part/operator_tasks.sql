-- Time by (layer type, stream, task type) over the tasks of one inference of :device_id and :model_id. A fused
-- task counts once for each of its layers, with its whole time. Layers without a type share one row.
WITH task AS (
  SELECT s.net_id, t.task_id, t.stream_id, 'CORE' AS unit, coalesce(t.cycles, max(min(t.end_tick - t.start_tick, 92233720368547758), -92233720368547758) * 100) * :_core AS cycles
  FROM source s CROSS JOIN aicore_task t
  WHERE s.target = 'aicore_task' AND t.rowid BETWEEN s.first_row AND s.last_row
    AND s.device_id = :device_id AND s.model_id IS :model_id AND s.current_pic IS :current_pic
  UNION ALL
  SELECT s.net_id, t.task_id, t.stream_id, 'CPU', coalesce(t.cycles, max(min(t.end_tick - t.start_tick, 92233720368547758), -92233720368547758) * 100) * :_cpu
  FROM source s CROSS JOIN aicpu_task t
  WHERE s.target = 'aicpu_task' AND t.rowid BETWEEN s.first_row AND s.last_row
    AND s.device_id = :device_id AND s.model_id IS :model_id AND s.current_pic IS :current_pic
)
SELECT l.type, t.stream_id, t.unit, t.cycles AS value
FROM task t
LEFT JOIN layer l ON l.net_id = t.net_id AND l.task_id = t.task_id AND l.stream_id = t.stream_id
