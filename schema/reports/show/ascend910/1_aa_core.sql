-- @title AA Core Metrics
-- @needs tasks
-- @vendor_title AI Core Metrics
-- @file op_summary
-- @each
SELECT 1 AS _never WHERE 0
-- @why
SELECT 'AA Core counters are not in this generation of data'
