-- @needs tasks
-- @counters aicore_time(us)
-- @file op_summary_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall, _old FROM stamp WHERE _of_model AND NOT _old_chip AND EXISTS (SELECT 1 FROM task WHERE start_ns IS NOT NULL AND is_op = 1)
-- @use prof_metrics
-- @use prof_chosen_metrics
-- @use op_summary_old_columns
-- @columns
SELECT term, title FROM op_column WHERE part >= 0 ORDER BY part, core, place
-- @use prof_tasks
-- @use op_summary_operators
-- @use op_summary_chosen_list
-- @rows
{columns}
FROM operator ORDER BY CAST(device_id AS TEXT), start_ns, is_op IS NULL, op_name
