-- @process All Reduce, NPU {process}
-- @thread All Reduce
-- @use ascend2022_chosen
-- @each
SELECT * FROM chosen
-- @use ascend2022_chosen
-- @rows
SELECT 8 AS layer, a.device_id AS process, 0 AS track, 'All Reduce ' || a.number AS name,
  CAST(round((a.start_counter - s.device_counter) * 1000.0 / s.counter_mhz) AS INTEGER) + s.host_ns AS start_ns,
  CAST(round((a.end_counter - a.start_counter) * 1000.0 / s.counter_mhz) AS INTEGER) AS dur_ns, a.number AS "args.Number", m.iteration AS "args.Iteration ID"
FROM all_reduce a JOIN setting s ON s.device_id = a.device_id JOIN moment m ON m.id = a.step_id
WHERE m.end_ns > :_from_ns AND m.end_ns <= :_to_ns{range device m.end_ns; m.end_ns}{device a.device_id}
