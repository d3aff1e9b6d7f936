-- Runs on the rows of a database of an earlier version: what that version did not write down of them. Its operators are static ones of
-- nodes; their waits are those of all tasks.
-- @when NOT EXISTS (SELECT 1 FROM task WHERE is_op IS NOT NULL)
UPDATE task SET is_op = 1, op_state = 0 WHERE op_name IS NOT NULL;
UPDATE task SET before_ns = b.start_ns
FROM (SELECT id, lag(start_ns) OVER (PARTITION BY device_id ORDER BY id) AS start_ns FROM task WHERE start_ns IS NOT NULL) b WHERE b.id = task.id;
INSERT OR IGNORE INTO host_kind SELECT type, name FROM type_name WHERE level = 5000;
INSERT OR IGNORE INTO host_kind SELECT hash, name FROM name WHERE name IN (SELECT name FROM host_word) OR name GLOB 'KERNEL*';
-- @end
