-- The tasks in the database of another tool for PROF directories, msprof_TIME.db: its table TASK is published. Times are ns.
SELECT streamId AS tid, taskId AS "Task Id", startNs AS start_ns, endNs - startNs AS dur_ns FROM main.TASK
WHERE EXISTS (SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'TASK' AND sql LIKE 'CREATE TABLE %')
