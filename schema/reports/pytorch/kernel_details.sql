-- @family prof
-- @needs tasks
-- @file kernel_details
-- @newline crlf
-- @use prof_stamp
-- @each
SELECT _wall, 0 AS _collective FROM stamp WHERE NOT _old AND EXISTS (SELECT 1 FROM task WHERE start_ns IS NOT NULL AND is_op = 1)
  AND NOT EXISTS (SELECT 1 FROM comm_op WHERE start_ns IS NOT NULL AND NOT on_aicpu)
-- @use prof_metrics
-- @use op_summary_columns
-- @use kernel_columns
-- @columns
SELECT term, title FROM kernel_column ORDER BY part, core, place
-- @use prof_tasks
-- @rows
SELECT {columns}
FROM run WHERE is_op = 1 ORDER BY id
