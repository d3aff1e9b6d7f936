-- @file step_trace_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope WHERE _step IS NOT NULL
-- @rows
SELECT iteration AS "Iteration ID", fp_counter AS "FP Start", bp_counter AS "BP End", end_counter AS "Iteration End",
  nullif(end_counter - start_counter, 0) * (1000000.0 / (s.counter_mhz * 1000000.0)) AS "Iteration Time(us)",
  nullif(bp_counter - fp_counter, 0) * (1000000.0 / (s.counter_mhz * 1000000.0)) AS "FP to BP Time(us)",
  nullif(end_counter - bp_counter, 0) * (1000000.0 / (s.counter_mhz * 1000000.0)) AS "Grad Refresh Bound(us)",
  nullif(fp_counter - nullif(before_counter, -1), 0) * (1000000.0 / (s.counter_mhz * 1000000.0)) AS "Data Aug Bound(us)", model_id AS "Model ID"
FROM step JOIN setting s USING (device_id)
WHERE device_id = :device_id ORDER BY end_counter, step.id
