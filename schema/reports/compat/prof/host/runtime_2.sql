-- @file runtime
-- @title MemcpyInfo
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM task_copy)
-- @rows
SELECT t.stream_id, t.batch_id, t.task_id, t.context_id, t.device_id, c.bytes AS data_size, c.direction AS memcpy_direction FROM task_copy c JOIN task t USING (id) ORDER BY c.id
