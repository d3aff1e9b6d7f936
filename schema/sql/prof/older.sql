-- Runs on the rows of a database of an earlier version: what that version did not write down of them. Its operators are static ones of
-- nodes; their waits are those of all tasks.
-- @when NOT EXISTS (SELECT 1 FROM task WHERE is_op IS NOT NULL)
UPDATE task SET is_op = 1, op_state = 0 WHERE op_name IS NOT NULL;
INSERT OR IGNORE INTO host_kind SELECT type, name FROM type_name WHERE level = 5000;
INSERT OR IGNORE INTO host_kind SELECT hash, name FROM name WHERE name IN (SELECT name FROM host_word) OR name GLOB 'KERNEL*';
-- @end
