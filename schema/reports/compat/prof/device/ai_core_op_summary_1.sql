-- @file ai_core_op_summary
-- @title ge_summary
-- @use prof_host_clock
-- @each
SELECT device_id, _hz, _count, _ns FROM device d CROSS JOIN clock WHERE EXISTS (SELECT 1 FROM task t WHERE t.is_op AND t.device_id = d.device_id)
-- @use prof_ops
-- @rows
SELECT model_id, task_id, stream_id, name AS op_name, type AS op_type, state AS op_state, coalesce(block_num, 0) AS block_num, coalesce(mix_num, 0) AS mix_block_num,
  node AS task_type, coalesce(tensors, 0) AS tensor_num, input_formats, input_types AS input_data_types, input_shapes, output_formats, output_types AS output_data_types, output_shapes,
  -1 AS index_id, :_count + (launch_ns - :_ns) / 1000000000 * :_hz + decimal((launch_ns - :_ns) % 1000000000 * :_hz, 1000000000, 0) AS timestamp, batch_id, context_id,
  flag AS op_flag, coalesce(block_num, 0) AS block_dim, coalesce(mix_num, 0) AS mix_block_dim
FROM op WHERE device_id = :device_id ORDER BY launch_ns, id
