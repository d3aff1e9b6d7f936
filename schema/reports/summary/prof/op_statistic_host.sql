-- @file op_statistic_{time}
-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM host_operator)
  AND NOT EXISTS (SELECT 1 FROM task WHERE start_ns IS NOT NULL AND is_op = 1 AND op_type IS NOT NULL)
-- @tally
SELECT op_type, dur_ns AS value FROM host_operator WHERE dur_ns >= 0
-- @use prof_host_operators
-- @rows
