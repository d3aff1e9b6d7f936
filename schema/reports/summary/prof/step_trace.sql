-- @family prof
-- @style any
-- @file step_trace_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall FROM stamp WHERE EXISTS (SELECT 1 FROM ts_step WHERE tag_id IN (1, 4))
-- @rows
SELECT device_id AS "Device_id", iteration AS "Iteration ID", us(fp_ns + :_wall) || char(9) AS "FP Start(us)", us(bp_ns + :_wall) || char(9) AS "BP End(us)",
  us(end_ns + :_wall) || char(9) AS "Iteration End(us)", us(end_ns - start_ns) AS "Iteration Time(us)", us(bp_ns - fp_ns) AS "FP to BP Time(us)",
  us(end_ns - bp_ns) AS "Iteration Refresh(us)", us(fp_ns - before_ns) AS "Data Aug Bound(us)", model_id AS "Model ID"
FROM step ORDER BY device_id, end_ns
