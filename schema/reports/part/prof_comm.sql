-- Steps of collective operations, and the tracks of a trace for operations and planes. Words of kinds; what is unknown has none.
WITH comm_step AS (
  SELECT t.id, t.device_id, t.stream_id, t.task_id, t.context_id, t.start_ns, t.dur_ns, t.model_id, g.track + 1 + h.plane_id AS track,
    coalesce(n.name, printf('%u', h.item_id)) AS name, c.bandwidth,
    h.notify_id, h.estimate, h.local_rank, h.remote_rank, h.size, h.transport_type, h.data_type, h.link_type
  FROM comm_task c CROSS JOIN task t ON t.id = c.id CROSS JOIN comm_op o ON o.id = c.op_id CROSS JOIN hccl_info h ON h.rowid = c.info_row
  LEFT JOIN comm_track g ON g.device_id = o.device_id AND g.step_group IS o.step_group AND g.on_aicpu = o.on_aicpu LEFT JOIN name n ON n.hash = h.item_id
  WHERE h.plane_id BETWEEN 0 AND 4294967294 AND NOT EXISTS (SELECT 1 FROM control WHERE name = 'sample.json' AND device_id IS NULL
    AND coalesce(json_extract(text, '$.profLevel'), json_extract(text, '$.prof_level')) IN ('l0', 'level0'))
), comm_thread AS (
  SELECT device_id, track, CASE WHEN step_group IS NULL THEN 'Communication'
    ELSE 'Group ' || coalesce((SELECT name FROM name n WHERE n.hash = step_group), printf('%u', step_group)) || CASE WHEN on_aicpu THEN ' Aicpu' ELSE '' END || ' Communication' END AS name
  FROM comm_track
  UNION ALL
  SELECT DISTINCT o.device_id, g.track + 1 + p.plane_id, 'Plane ' || p.plane_id
  FROM (SELECT DISTINCT c.op_id, CASE WHEN h.plane_id BETWEEN 0 AND 4294967294 THEN h.plane_id ELSE 0 END AS plane_id FROM comm_task c LEFT JOIN hccl_info h ON h.rowid = c.info_row) p
  CROSS JOIN comm_op o ON o.id = p.op_id CROSS JOIN comm_track g ON g.device_id = o.device_id AND g.step_group IS o.step_group AND g.on_aicpu = o.on_aicpu
)
