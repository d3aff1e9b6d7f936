-- The operator of a task, else its number.
-- @each
SELECT coalesce(o.name, 'task ' || t.task_id || ' of stream ' || t.stream_id) AS name FROM hwts_task t LEFT JOIN hwts_op o ON o.id = t.hwts_op_id WHERE t.rowid = :row
