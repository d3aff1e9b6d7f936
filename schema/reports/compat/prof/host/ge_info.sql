-- @file ge_info
-- @title TaskInfo
-- @use prof_host_clock
-- @each
SELECT _hz, _count, _ns FROM clock WHERE EXISTS (SELECT 1 FROM task WHERE is_op)
-- @use prof_ops
-- @rows
SELECT model_id, name AS op_name, stream_id, task_id, coalesce(block_num, 0) AS block_num, coalesce(mix_num, 0) AS mix_block_num, state AS op_state, node AS task_type, type AS op_type,
  -1 AS index_id, thread_id, :_count + (launch_ns - :_ns) / 1000000000 * :_hz + decimal((launch_ns - :_ns) % 1000000000 * :_hz, 1000000000, 0) AS timestamp, batch_id,
  coalesce(tensors, 0) AS tensor_num, input_formats, input_types AS input_data_types, input_shapes, output_formats, output_types AS output_data_types, output_shapes,
  device_id, context_id, flag AS op_flag, coalesce((SELECT printf('%u', attr) FROM node_attr a WHERE a.connection_id = op.connection_id), 'N/A') AS hashid
FROM op WHERE launch_ns IS NOT NULL ORDER BY launch_ns, id
