-- @needs tasks
-- @counters aicore_time(us)
-- @use prof_stamp
-- @each
SELECT time, _wall FROM stamp WHERE NOT _old AND EXISTS (SELECT 1 FROM task WHERE start_ns IS NOT NULL AND is_op = 1)
  AND NOT EXISTS (SELECT 1 FROM comm_op WHERE start_ns IS NOT NULL AND NOT on_aicpu)
-- @use prof_metrics
-- @use op_summary_columns
-- @columns
SELECT term, title FROM op_column ORDER BY part, core, place
-- @use prof_tasks
-- @split task.id
-- @rows
SELECT {columns}
FROM run
WHERE is_op = 1 AND id BETWEEN :split_first AND :split_last ORDER BY id
