-- @family prof
-- @style any
-- @needs tasks
-- @file kernel_details
-- @newline crlf
-- @use prof_stamp
-- @each
SELECT _wall, _old FROM stamp WHERE NOT _old AND EXISTS (SELECT 1 FROM comm_op WHERE start_ns IS NOT NULL AND NOT on_aicpu)
-- @use kernel_titles
-- @without
-- @use prof_metrics
-- @use op_summary_columns
-- @columns
LIMIT CASE WHEN (SELECT level FROM temp.profile) = 'Level0' THEN 0 ELSE 256 END
-- @use prof_tasks
-- @use op_summary_operators
-- @use kernel_select_collectives
-- @use op_summary_list
-- @rows
{columns}
FROM operator ORDER BY CAST(device_id AS TEXT), start_ns, is_op IS NULL, op_name
