-- @json_file step_trace_summary_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall, _old FROM stamp WHERE NOT _old AND EXISTS (SELECT 1 FROM step)
-- @use step_trace_reduces
-- @columns
-- @rows
-- a time that was not recorded is 0
SELECT device_id AS "Device_id", iteration AS "Iteration ID", us(coalesce(fp_ns + :_wall, 0)) || char(9) AS "FP Start(us)",
  us(coalesce(bp_ns + :_wall, 0)) || char(9) AS "BP End(us)", us(end_ns + :_wall) || char(9) AS "Iteration End(us)",
  us(end_ns - start_ns) AS "Iteration Time(us)", us(coalesce(bp_ns - fp_ns, 0)) AS "FP to BP Time(us)",
  us(coalesce(end_ns - bp_ns, 0)) AS "Iteration Refresh(us)", us(coalesce(fp_ns - data_ns, 0)) AS "Data Aug Bound(us)", model_id AS "Model ID"{columns}
FROM step ORDER BY device_id, end_ns
