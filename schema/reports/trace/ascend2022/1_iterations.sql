-- @process Task Scheduler, NPU {process}
-- @thread Iterations of model {_model}
-- @use ascend2022_chosen
-- @each
SELECT * FROM chosen
-- @use ascend2022_chosen
-- @rows
SELECT 7 AS layer, m.device_id AS process, -1 - m.model_id AS track, 'Iteration ' || m.iteration AS name,
  CAST(round((m.start_counter - s.device_counter) * 1000.0 / s.counter_mhz) AS INTEGER) + s.host_ns AS start_ns,
  CAST(round((m.end_counter - m.start_counter) * 1000.0 / s.counter_mhz) AS INTEGER) AS dur_ns, m.iteration AS "args.Iteration ID",
  CAST(round((m.fp_counter - s.device_counter) * 1000.0 / s.counter_mhz) AS INTEGER) + s.host_ns AS "args.FP Start(ns)",
  CAST(round((m.bp_counter - s.device_counter) * 1000.0 / s.counter_mhz) AS INTEGER) + s.host_ns AS "args.BP End(ns)", m.model_id AS _model
FROM moment m JOIN setting s ON s.device_id = m.device_id
WHERE m.end_ns > :_from_ns AND m.end_ns <= :_to_ns{range device m.end_ns; m.end_ns}{device m.device_id}
