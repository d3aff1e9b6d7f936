-- @family prof
-- @style any
-- @file communication_statistic_{time}
-- @use prof_stamp
-- @each
SELECT time, _from_ns, _to_ns FROM stamp WHERE EXISTS (SELECT 1 FROM comm_op)
-- @tally
SELECT device_id, op_type, 9 AS node_type, end_ns - start_ns AS value FROM comm_op WHERE end_ns > :_from_ns AND end_ns <= :_to_ns
-- @use prof_operators
-- @rows
SELECT device_id AS "Device_id", op_type AS "OP Type", count AS "Count", total_us AS "Total Time(us)", min_us AS "Min Time(us)",
  avg_us AS "Avg Time(us)", max_us AS "Max Time(us)", ratio AS "Ratio(%)"
FROM operator
