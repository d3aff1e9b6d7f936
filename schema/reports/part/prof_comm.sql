-- Collective operations and their steps as trace events: a track for the operations of each group, and a track for each plane.
WITH comm_group AS MATERIALIZED (
  SELECT group_name, 1000 * row_number() OVER (ORDER BY min(id)) AS track FROM comm_op GROUP BY group_name
), comm_step AS (
  SELECT t.id, t.device_id, t.stream_id, t.task_id, nullif(t.context_id, 4294967295) AS context_id, t.start_ns, t.dur_ns, t.connection_id, t.model_id,
    coalesce(g.track, 0) + 1 + coalesce(h.plane_id, 0) AS track, coalesce(h.plane_id, 0) AS plane_id,
    coalesce(n.name, nullif(printf('%u', h.item_id), '0'), d.name, k.name, CAST(t.device_type AS TEXT)) AS name,
    coalesce(d.name, k.name, CAST(t.device_type AS TEXT)) AS task_type,
    h.notify_id, h.local_rank, h.remote_rank, h.size, h.role, h.transport_type, h.data_type, h.link_type, h.rdma_type
  FROM comm_task c JOIN task t ON t.id = c.id LEFT JOIN comm_op o ON o.id = c.op_id LEFT JOIN hccl_info h ON h.rowid = c.info_row
  LEFT JOIN comm_group g ON g.group_name IS o.group_name LEFT JOIN name n ON n.hash = h.item_id
  LEFT JOIN task_kind d ON d.kind = t.device_type LEFT JOIN subtask_kind k ON k.kind = t.device_type - 256
), comm_track AS (
  SELECT DISTINCT o.device_id, g.track, 'Group ' || coalesce((SELECT name FROM name n WHERE n.hash = o.group_name), nullif(printf('%u', o.group_name), '0'), 'N/A') || ' Communication' AS name
  FROM comm_op o JOIN comm_group g ON g.group_name IS o.group_name
  UNION
  SELECT DISTINCT device_id, track, 'Plane ' || plane_id FROM comm_step
)
