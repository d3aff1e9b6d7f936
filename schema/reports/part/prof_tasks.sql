-- The tasks that devices ran, with names; :_wall converts their times to the time of day. A task is called as the host calls it, or the
-- device where the host says nothing or FFTS_PLUS; an operator as its node is.
WITH run AS (
  SELECT t.id, t.device_id, t.stream_id, t.task_id, t.batch_id, t.context_id, t.start_ns, t.dur_ns, t.wait_ns, t.before_ns, t.connection_id,
    t.launch_ns, t.model_id, t.is_op, t.has_parts, t.op_state, t.block_num, t.mix_num, t.op_flag, t.tensor_id, t.frequency_mhz, t.aic_us, t.aiv_us,
    coalesce(word('name', 'name', t.op_name), nullif(printf('%u', t.op_name), '0')) AS op_name,
    coalesce(word('name', 'name', t.kernel_name), nullif(printf('%u', t.kernel_name), '0')) AS kernel_name,
    coalesce(word('name', 'name', t.op_type), nullif(printf('%u', t.op_type), '0')) AS op_type,
    coalesce(word('node_kind', 'name', t.node_type), CAST(t.node_type AS TEXT)) AS node_kind,
    CASE WHEN t.is_op AND t.node_type IS NOT NULL THEN coalesce(word('node_kind', 'name', t.node_type), CAST(t.node_type AS TEXT))
      ELSE CASE coalesce(coalesce(word('host_kind', 'name', t.host_type), word('name', 'name', t.host_type), nullif(printf('%u', t.host_type), '0')), 'FFTS_PLUS')
        WHEN 'FFTS_PLUS' THEN coalesce(word('task_kind', 'name', t.device_type), word('subtask_kind', 'name', t.device_type - 256), CAST(t.device_type AS TEXT))
        ELSE coalesce(word('host_kind', 'name', t.host_type), word('name', 'name', t.host_type), nullif(printf('%u', t.host_type), '0')) END END AS task_type,
    CASE WHEN t.is_op THEN coalesce(word('name', 'name', t.op_name), nullif(printf('%u', t.op_name), '0'))
      ELSE CASE coalesce(coalesce(word('host_kind', 'name', t.host_type), word('name', 'name', t.host_type), nullif(printf('%u', t.host_type), '0')), 'FFTS_PLUS')
        WHEN 'FFTS_PLUS' THEN coalesce(word('task_kind', 'name', t.device_type), word('subtask_kind', 'name', t.device_type - 256), CAST(t.device_type AS TEXT))
        ELSE coalesce(word('host_kind', 'name', t.host_type), word('name', 'name', t.host_type), nullif(printf('%u', t.host_type), '0')) END END AS name,
    coalesce(word('host_kind', 'name', t.host_type), word('name', 'name', t.host_type), nullif(printf('%u', t.host_type), '0')) AS host_kind,
    CASE WHEN t.aic_cycles IS NOT NULL OR t.aiv_cycles IS NOT NULL THEN 0.0 END AS zero,
    CAST(nullif(t.aic_cycles, 0) AS REAL) AS aic_cycles, CAST(nullif(t.aiv_cycles, 0) AS REAL) AS aiv_cycles,
    t.aic_pmu0, t.aic_pmu1, t.aic_pmu2, t.aic_pmu3, t.aic_pmu4, t.aic_pmu5, t.aic_pmu6, t.aic_pmu7, t.aic_pmu8, t.aic_pmu9,
    t.aiv_pmu0, t.aiv_pmu1, t.aiv_pmu2, t.aiv_pmu3, t.aiv_pmu4, t.aiv_pmu5, t.aiv_pmu6, t.aiv_pmu7, t.aiv_pmu8, t.aiv_pmu9
  FROM task t
  WHERE t.start_ns IS NOT NULL
)
