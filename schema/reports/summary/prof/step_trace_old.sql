-- @file step_trace_{time}
-- @json_file step_trace_summary_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall, _old FROM stamp WHERE _old AND EXISTS (SELECT 1 FROM step)
-- @use step_trace_reduces
-- @columns
-- @rows
-- in the older style a time that was not recorded is N/A
SELECT device_id AS "Device_id", iteration AS "Iteration ID", us(fp_ns + :_wall) || char(9) AS "FP Start(us)",
  us(bp_ns + :_wall) || char(9) AS "BP End(us)", us(end_ns + :_wall) || char(9) AS "Iteration End(us)",
  repr((end_ns - start_ns) / 1000.0) AS "Iteration Time(us)", repr((bp_ns - fp_ns) / 1000.0) AS "FP to BP Time(us)",
  repr((end_ns - bp_ns) / 1000.0) AS "Iteration Refresh(us)", repr((fp_ns - data_ns) / 1000.0) AS "Data Aug Bound(us)", model_id AS "Model ID"{columns}
FROM step ORDER BY device_id, model_id, end_ns
