-- The models of each device, as processes of a trace: the rows of their tasks. Files of one model are adjacent.
WITH model AS (
  SELECT min(s.id) AS _process, max(s.net_id) AS _net,
    'NPU ' || coalesce(s.device_id, 'unknown') || ', ' || coalesce(s.model || '.' || s.model_id || '.' || s.batch, 'unknown model') AS _label,
    min(s.first_row) FILTER (WHERE s.target = 'aicore_task') AS _core_first, max(s.last_row) FILTER (WHERE s.target = 'aicore_task') AS _core_last,
    min(s.first_row) FILTER (WHERE s.target = 'aicpu_task') AS _cpu_first, max(s.last_row) FILTER (WHERE s.target = 'aicpu_task') AS _cpu_last
  FROM source s JOIN device d ON d.device_id = s.device_id
  WHERE s.target IN ('aicore_task', 'aicpu_task') AND s.records > 0 AND d.frequency_mhz IS NOT NULL{device s.device_id}{model s.model_id}{step s.current_pic}
  GROUP BY s.device_id, s.model, s.model_id, s.batch
)
