-- Cube operators of the device that took the longest, below the peak of its cores at 16 bits. Bytes are those of their tensors, each moved once.
-- @needs tasks counters
-- @use roofline_peak
-- @each
-- @use tensor_bytes
-- @rows
, item AS MATERIALIZED (
  SELECT o.id, o.count, o.total_ns, u.ratio * o.cycles * :_ops AS ops, t.op_id AS described
  FROM temp.operator o JOIN temp.op_unit u ON u.id = o.id AND u.core = 'aic' AND u.name = 'mac' JOIN task t ON t.id = o.first_row
  WHERE o.k1 = :_grp AND NOT o.is_rest AND o.class = 0 AND u.ratio > 0 AND o.total_ns > 0 ORDER BY o.total_ns DESC, o.id LIMIT 200
), list AS (
  SELECT i.id, x.input_shapes AS shapes, x.input_types AS types FROM item i JOIN op_tensor x ON x.op_id = i.described
  UNION ALL SELECT i.id, x.output_shapes, x.output_types FROM item i JOIN op_tensor x ON x.op_id = i.described
)
SELECT n.name, i.ops / (i.count * m.bytes) AS ops_per_byte, i.ops * 1e9 / i.total_ns AS ops_per_s, 1.0 * i.total_ns / :_total AS share
FROM item i JOIN moved m ON m.id = i.id JOIN temp.op_name n ON n.id = i.id WHERE m.bytes > 0 ORDER BY i.total_ns DESC, i.id
