-- What collective operations moved, by the name and group of the operation. Names are those of their item, group, index and run; where
-- devices have the same, the reference keeps the last one it reads: the first by name.
WITH event AS MATERIALIZED (
  SELECT c.op_id, c.id, coalesce(h.plane_id, 4294967295) AS plane_id, c.is_master, t.start_ns, t.start_ns + t.dur_ns AS end_ns, h.local_rank, h.remote_rank,
    h.transport_type, h.link_type
  FROM comm_task c CROSS JOIN task t ON t.id = c.id LEFT JOIN hccl_info h ON h.rowid = c.info_row
  WHERE t.start_ns >= coalesce((SELECT value FROM meta WHERE key = 'begin_ns'), t.start_ns)
), op AS MATERIALIZED (
  SELECT id, device_id, name || '@' || CASE WHEN step_group IS NULL THEN 'N/A' ELSE printf('%u', step_group) END AS key, at
  FROM comm_op JOIN (SELECT op_id AS id, min(start_ns) AS at FROM event GROUP BY op_id) USING (id)
), lane AS MATERIALIZED (
  SELECT op_id, plane_id, min(start_ns) AS start_ns FROM event GROUP BY op_id, plane_id
), moved AS MATERIALIZED (
  SELECT e.op_id, e.plane_id, e.id, o.key, o.at, o.device_id, w.what, w.size / 1e6 AS mb, w.ns / 1e6 AS ms, e.local_rank, e.remote_rank, e.transport_type, e.link_type
  FROM comm_transfer w CROSS JOIN event e USING (id) CROSS JOIN lane l USING (op_id, plane_id) CROSS JOIN op o ON o.id = e.op_id
  ORDER BY o.device_id DESC, o.at, e.op_id, l.start_ns, e.plane_id, e.start_ns, e.id
)
