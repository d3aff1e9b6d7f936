-- @family ascend2022
-- @style any
-- @file step_trace_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope WHERE _step IS NOT NULL
-- @rows
SELECT iteration AS "Iteration ID", fp_counter AS "FP Start", bp_counter AS "BP End", end_counter AS "Iteration End",
  (end_counter - start_counter) / s.counter_mhz AS "Iteration Time(us)",
  (bp_counter - fp_counter) / s.counter_mhz AS "FP to BP Time(us)",
  (end_counter - bp_counter) / s.counter_mhz AS "Grad Refresh Bound(us)",
  (fp_counter - nullif(before_counter, -1)) / s.counter_mhz AS "Data Aug Bound(us)", model_id AS "Model ID"
FROM step JOIN setting s USING (device_id)
WHERE device_id = :device_id AND model_id = :_model ORDER BY step.id
