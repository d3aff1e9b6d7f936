-- Calls that launch single operators are those during which the framework described an operator; its tasks are their launches.
-- @process Task Scheduler, NPU {process}
-- @thread Stream {track}
-- @use ascend2022_chosen
-- @each
SELECT * FROM chosen
-- @rows
WITH launch AS MATERIALIZED (
  SELECT o.id AS op_id, max(c.rowid) AS call
  FROM source s CROSS JOIN api_call c CROSS JOIN op o ON o.device_id = s.device_id AND o.time_ns > c.start_ns AND o.time_ns < c.start_ns + c.dur_ns
  WHERE s.target = 'api_call' AND c.rowid BETWEEN s.first_row AND s.last_row AND c.type = 1 AND c.name IN ('aclopExecute', 'aclopExecuteV2', 'aclopCompileAndExecute')
    AND c.start_ns > :_from_ns AND c.start_ns <= :_to_ns{range host c.start_ns; c.start_ns + c.dur_ns} GROUP BY o.id
)
SELECT 7 AS layer, t.device_id AS process, t.stream_id AS track, o.name AS name, t.start_ns AS start_ns, t.dur_ns AS dur_ns, l.call AS launch,
  coalesce(o.task_type, 'AI_CORE') AS "args.Task Type", t.task_id AS "args.Task Id", t.batch_id AS "args.Batch Id", o.type AS "args.Op Type",
  o.block_dim AS "args.Block Dim", coalesce(o.model_id, s.model_id) AS "args.Model Id", s.iteration AS "args.Iteration ID", p.total_cycles AS "args.Total Cycle"
FROM task t LEFT JOIN op o ON o.id = t.op_id LEFT JOIN main.step s ON s.id = t.step_id LEFT JOIN aicore_pmu p ON p.rowid = t.pmu_row
LEFT JOIN launch l ON l.op_id = t.op_id
WHERE t.unit IS NOT 1 AND t.start_ns IS NOT NULL AND t.start_ns + t.dur_ns > :_from_ns AND t.start_ns + t.dur_ns <= :_to_ns
  {range device t.start_ns; t.start_ns + t.dur_ns}{device t.device_id}
