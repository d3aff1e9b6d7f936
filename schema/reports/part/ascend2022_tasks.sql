-- All tasks of the scheduler's log of :device_id and :_step in order of start, with their operators, for tables of `show`.
WITH run AS (
  SELECT t.id, t.stream_id, t.task_id, t.op_id, t.pmu_row, s.aic_mhz, s.chip, o.name, o.type AS op_type, o.type AS op_hash, o.model_id, o.block_dim,
    coalesce(o.task_type, 'AI_CORE') AS type, 1 AS described,
    (t.end_counter - t.start_counter) / s.counter_mhz * 1000.0 AS dur,
    max(coalesce(o.block_dim, 1), 1) AS blocks, (max(coalesce(o.block_dim, 1), 1) + s.aic_num - 1) / s.aic_num AS rounds
  FROM task t JOIN setting s ON s.device_id = t.device_id LEFT JOIN op o ON o.id = t.op_id
  WHERE t.device_id = :device_id AND t.step_id IS :_step AND t.unit IS NOT 1
)
