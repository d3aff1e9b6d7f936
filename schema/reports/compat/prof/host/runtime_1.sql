-- @file runtime
-- @title HostTask
-- @use prof_host_clock
-- @each
SELECT _hz, _count, _ns FROM clock WHERE EXISTS (SELECT 1 FROM task WHERE launch_ns IS NOT NULL)
-- @rows
SELECT model_id, -1 AS request_id, stream_id, task_id, CAST(context_id AS TEXT) AS context_ids, batch_id,
  coalesce(word('host_kind', 'name', host_type), word('name', 'name', host_type), printf('%u', host_type)) AS task_type,
  CASE WHEN coalesce(kernel_name, 0) = 0 THEN 'N/A' ELSE coalesce(word('name', 'name', kernel_name), printf('%u', kernel_name)) END AS kernel_name, device_id,
  :_count + (launch_ns - :_ns) / 1000000000 * :_hz + decimal((launch_ns - :_ns) % 1000000000 * :_hz, 1000000000, 0) AS timestamp, coalesce(connection_id, -1) AS connection_id, thread_id
FROM task WHERE launch_ns IS NOT NULL AND key_id IS NULL ORDER BY launch_ns, id
