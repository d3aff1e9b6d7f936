-- @family prof
-- @needs tasks
-- @file kernel_details
-- @newline crlf
-- @use prof_stamp
-- @each
SELECT _wall, _old, 1 AS _collective FROM stamp WHERE _old AND EXISTS (SELECT 1 FROM comm_op WHERE start_ns IS NOT NULL AND NOT on_aicpu)
-- @use prof_metrics
-- @use prof_old_metrics
-- @use op_summary_old_columns
-- @use kernel_columns
-- @columns
SELECT term, title FROM kernel_column ORDER BY part, core, place
-- @use prof_tasks
-- @use op_summary_operators
-- @rows
SELECT {columns}
FROM operator ORDER BY CAST(device_id AS TEXT), start_ns, is_op IS NULL, op_name
