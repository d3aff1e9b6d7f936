-- Collective operations of a device by group and type.
-- @title communication
-- @family prof
-- @style any
-- @types int? text? text? int int int int
-- @each
SELECT 1 AS _one
-- @rows
SELECT o.device_id, coalesce((SELECT n.name FROM name n WHERE n.hash = o.step_group), nullif(printf('%u', o.step_group), '0')) AS communicator,
  coalesce((SELECT n.name FROM name n WHERE n.hash = o.op_type), nullif(printf('%u', o.op_type), '0')) AS type, count(*) AS operations,
  total_int(o.end_ns - o.start_ns) AS total_ns, min(o.end_ns - o.start_ns) AS shortest_ns, max(o.end_ns - o.start_ns) AS longest_ns
FROM comm_op o WHERE o.start_ns IS NOT NULL AND o.end_ns >= o.start_ns GROUP BY o.device_id, o.step_group, o.op_type
