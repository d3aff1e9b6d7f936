-- @title Op statistic
-- @decides OP Type, Total Time(us), Ratio(%), Count, Avg Time(us), Max Time(us), Core Type
-- @needs tasks
-- @time Total Time(us)
-- @top 5
-- @use prof_chosen
-- @each
SELECT _from_ns, _to_ns, (SELECT tick_ns FROM odd_clock) AS _tick_ns FROM chosen WHERE EXISTS (SELECT 1 FROM task WHERE start_ns IS NOT NULL AND is_op = 1)
-- @tally
SELECT device_id, op_type, node_type, CASE WHEN :_tick_ns THEN CAST(round(dur_ns / :_tick_ns) AS INTEGER) ELSE dur_ns END AS value FROM task
WHERE is_op AND start_ns IS NOT NULL AND start_ns + dur_ns > :_from_ns AND start_ns + dur_ns <= :_to_ns
-- @use prof_operators
-- @rows
SELECT device_id AS "Device_id", op_type AS "OP Type", core_type AS "Core Type", count AS "Count", total_us AS "Total Time(us)",
  min_us AS "Min Time(us)", avg_us AS "Avg Time(us)", max_us AS "Max Time(us)", ratio AS "Ratio(%)"
FROM operator ORDER BY place
-- @why
SELECT 'no task that ran has a node_basic_info of the host'
