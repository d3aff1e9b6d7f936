-- The tasks of :device_id and :_step in order of start. Times are computed like in the reference, in doubles of ns.
-- process is the track of the scheduler or of the AI CPU; rounds is the number of rounds in which the blocks run.
WITH run AS (
  SELECT t.id, t.stream_id, t.task_id, t.op_id, t.pmu_row, s.aic_mhz, s.chip, s.device_counter, s.counter_mhz, s.host_ns, o.name, o.type AS op_type, o.model_id,
    o.block_dim, coalesce(o.task_type, 'AI_CORE') AS type, CASE o.task_type WHEN 'AI_CPU' THEN 1 ELSE 0 END AS process,
    max(coalesce(o.block_dim, 1), 1) AS blocks, (max(coalesce(o.block_dim, 1), 1) + s.aic_num - 1) / s.aic_num AS rounds,
    (t.start_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns AS start,
    (t.end_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns AS stop
  FROM task t JOIN setting s ON s.device_id = t.device_id LEFT JOIN op o ON o.id = t.op_id
  WHERE t.device_id = :device_id AND t.step_id IS :_step
)
