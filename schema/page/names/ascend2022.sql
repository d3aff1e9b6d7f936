-- The operator of a task, else its number.
-- @each
SELECT coalesce(o.name, 'task ' || t.task_id || ' of stream ' || t.stream_id) AS name FROM task t LEFT JOIN op o ON o.id = t.op_id WHERE t.id = :row
