-- @family prof
-- @needs tasks
-- @file kernel_details
-- @newline crlf
-- @use prof_stamp
-- @each
SELECT _wall, _old FROM stamp WHERE NOT _old AND EXISTS (SELECT 1 FROM comm_op WHERE start_ns IS NOT NULL AND NOT on_aicpu)
-- @use prof_metrics
-- @use op_summary_columns
-- @use kernel_columns
-- @columns
SELECT term, title FROM (
  SELECT * FROM kernel_column
  UNION ALL SELECT -2, '', 0, 'coalesce((SELECT step FROM temp.step_range r WHERE operator.start_ns + :_wall >= r.start_ns AND operator.start_ns + :_wall < r.end_ns'
    || ' ORDER BY r.id LIMIT 1), '''')', 'Step Id' WHERE EXISTS (SELECT 1 FROM temp.step_range)
) ORDER BY part, core, place
-- @use prof_tasks
-- @use op_summary_operators
-- @rows
SELECT {columns}
FROM operator ORDER BY CAST(device_id AS TEXT), start_ns, is_op IS NULL, op_name
