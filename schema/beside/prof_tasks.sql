-- The tasks in the database of another tool for PROF directories, msprof_TIME.db. Times are ns.
SELECT streamId AS tid, taskId AS "Task Id", startNs AS start_ns, endNs - startNs AS dur_ns FROM main.TASK
