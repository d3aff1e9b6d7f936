-- @needs tasks
-- @counters aicore_time(us)
-- @file op_summary_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall, _old FROM stamp WHERE NOT _old AND EXISTS (SELECT 1 FROM comm_op WHERE start_ns IS NOT NULL AND NOT on_aicpu)
-- @use prof_metrics
-- @use op_summary_columns
-- @columns
SELECT term, title FROM op_column ORDER BY part, core, place
-- @use prof_tasks
-- @use op_summary_operators
-- @rows
SELECT {columns}
FROM operator ORDER BY CAST(device_id AS TEXT), start_ns, is_op IS NULL, op_name
