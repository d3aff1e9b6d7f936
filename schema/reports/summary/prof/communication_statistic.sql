-- @family prof
-- @style any
-- @file communication_statistic_{time}
-- @use prof_stamp
-- @each
SELECT time, _from_ns, _to_ns FROM stamp WHERE EXISTS (SELECT 1 FROM task WHERE start_ns IS NOT NULL AND node_type = 9)
-- @tally
SELECT device_id, op_type, node_type, dur_ns AS value FROM task
WHERE node_type = 9 AND start_ns + dur_ns > :_from_ns AND start_ns + dur_ns <= :_to_ns
-- @use prof_operators
-- @rows
SELECT device_id AS "Device_id", op_type AS "OP Type", count AS "Count", total_us AS "Total Time(us)", min_us AS "Min Time(us)",
  avg_us AS "Avg Time(us)", max_us AS "Max Time(us)", ratio AS "Ratio(%)"
FROM operator
