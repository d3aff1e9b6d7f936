-- @family prof
-- @style any
-- @needs tasks
-- @counters aicore_time(us)
-- @file op_summary_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall FROM stamp WHERE NOT _old AND EXISTS (SELECT 1 FROM task WHERE start_ns IS NOT NULL AND is_op = 1)
  AND NOT EXISTS (SELECT 1 FROM comm_op WHERE start_ns IS NOT NULL AND NOT on_aicpu)
-- @use prof_metrics
-- @use op_summary_columns
-- @columns
-- @use prof_tasks
-- @use op_select
-- @use op_summary_list
-- @split task.id
-- @rows
{columns}
FROM run
WHERE is_op = 1 AND id BETWEEN :split_first AND :split_last ORDER BY id
