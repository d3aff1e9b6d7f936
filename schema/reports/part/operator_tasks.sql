-- Time by (layer type, stream, task type) over the tasks of one inference of :device_id and :model_id. A fused
-- task counts once for each of its layers, with its whole time. Layers without a type share one row.
WITH task AS (
  SELECT s.net_id, t.task_id, t.seg_id, coalesce(s.stream_id, t.seg_id) AS stream_id, 'CORE' AS unit,
    max(min(t.ticks, 9223372036854775807 / :_core), -9223372036854775807 / :_core) * :_core AS value
  FROM source s CROSS JOIN aicore_task t
  WHERE s.target = 'aicore_task' AND t.rowid BETWEEN s.first_row AND s.last_row
    AND s.device_id = :device_id AND s.model_id IS :model_id AND s.current_pic IS :current_pic
  UNION ALL
  SELECT s.net_id, t.task_id, -1, s.stream_id, 'CPU', (max(min(t.dur_ns, 4611686018427387903 / :_cpu), -4611686018427387903 / :_cpu) * :_cpu + :_step / 2) / :_step * :_step
  FROM source s CROSS JOIN aicpu_task t
  WHERE s.target = 'aicpu_task' AND t.rowid BETWEEN s.first_row AND s.last_row
    AND s.device_id = :device_id AND s.model_id IS :model_id AND s.current_pic IS :current_pic
)
SELECT l.type, t.stream_id, t.unit, t.value
FROM task t
LEFT JOIN layer l ON l.net_id = t.net_id AND l.task_id = t.task_id AND l.seg_id = t.seg_id
