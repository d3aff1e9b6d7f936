-- The tasks that devices ran, with names; :_wall converts their times to the time of day.
WITH run AS (
  SELECT t.id, t.device_id, t.stream_id, t.task_id, t.batch_id, t.context_id, t.start_ns, t.dur_ns, t.wait_ns, t.connection_id,
    t.model_id, t.op_state, t.block_num, t.mix_num, t.op_flag, t.tensor_id, t.frequency_mhz, t.aic_us, t.aiv_us,
    coalesce(word('name', 'name', t.op_name), nullif(printf('%u', t.op_name), '0'), word('name', 'name', t.kernel_name),
      nullif(printf('%u', t.kernel_name), '0')) AS name,
    coalesce(word('name', 'name', t.op_type), nullif(printf('%u', t.op_type), '0')) AS op_type,
    CASE WHEN t.node_type IS NULL
         THEN coalesce(word('task_kind', 'name', t.device_type), word('subtask_kind', 'name', t.device_type - 256), CAST(t.device_type AS TEXT))
         ELSE coalesce(word('node_kind', 'name', t.node_type), CAST(t.node_type AS TEXT)) END AS task_type,
    coalesce(word('task_kind', 'name', t.device_type), word('subtask_kind', 'name', t.device_type - 256), CAST(t.device_type AS TEXT)) AS device_type,
    CAST(nullif(t.aic_cycles, 0) AS REAL) AS aic_cycles, CAST(nullif(t.aiv_cycles, 0) AS REAL) AS aiv_cycles,
    t.aic_pmu0, t.aic_pmu1, t.aic_pmu2, t.aic_pmu3, t.aic_pmu4, t.aic_pmu5, t.aic_pmu6, t.aic_pmu7, t.aic_pmu8, t.aic_pmu9,
    t.aiv_pmu0, t.aiv_pmu1, t.aiv_pmu2, t.aiv_pmu3, t.aiv_pmu4, t.aiv_pmu5, t.aiv_pmu6, t.aiv_pmu7, t.aiv_pmu8, t.aiv_pmu9
  FROM task t
  WHERE t.start_ns IS NOT NULL
)
