-- Collective operations. The nth operation of a kind in a group is the same on all ranks of the group. At most 512 a device are kept: those whose number is a
-- multiple of a power of two, so ranks keep the same ones. wait_ns is what the operation waited for other ranks, where transfers were recorded.
-- @family prof
-- @style any
-- @title collective
-- @facts
-- @each
SELECT 1 AS _any
-- @rows
WITH numbered AS (
  SELECT id, device_id, coalesce((SELECT n.name FROM name n WHERE n.hash = o.step_group), printf('%u', o.step_group), 'N/A') AS communicator,
    coalesce((SELECT n.name FROM name n WHERE n.hash = o.op_type), printf('%u', o.op_type)) AS type, start_ns, end_ns - start_ns AS dur_ns, rank_size, count,
    row_number() OVER (PARTITION BY device_id, step_group, op_type ORDER BY start_ns, id) - 1 AS number, count(*) OVER (PARTITION BY device_id) AS all_ops
  FROM comm_op o WHERE start_ns IS NOT NULL AND end_ns >= start_ns
), every AS (
  SELECT 0 AS shift UNION ALL SELECT shift + 1 FROM every WHERE shift < 40
), kept AS MATERIALIZED (
  SELECT * FROM numbered n WHERE number % (1 << (SELECT min(shift) FROM every WHERE n.all_ops >> shift <= 512)) = 0
), waited AS (
  SELECT c.op_id, total_int(w.ns) FILTER (WHERE w.what IN (4, 5)) AS wait_ns, total_int(w.ns) FILTER (WHERE w.what IN (1, 3)) AS transmit_ns
  FROM comm_transfer w JOIN comm_task c ON c.id = w.id WHERE c.is_master AND c.op_id IN (SELECT id FROM kept) GROUP BY c.op_id
)
SELECT k.device_id, k.communicator, k.type, k.number, k.start_ns, k.dur_ns, w.wait_ns, w.transmit_ns, k.rank_size
FROM kept k LEFT JOIN waited w ON w.op_id = k.id ORDER BY k.device_id, k.start_ns, k.id
