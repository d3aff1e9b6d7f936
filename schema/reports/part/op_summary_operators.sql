-- Operators and collective operations, which wait for each other; in the older style those of a device alone, with the kernels of collective
-- operations.
, operator AS (
  SELECT *, CASE WHEN NOT :_old OR lag(device_id) OVER w = device_id THEN start_ns - lag(start_ns + dur_ns) OVER w END AS wait_ns, lag(start_ns) OVER w AS before_ns
  FROM (
    SELECT device_id, model_id, task_id, stream_id, op_name, op_type, op_state, node_kind, start_ns, dur_ns, is_op, block_num, mix_num, op_flag,
      tensor_id, context_id, aic_us, aiv_us, zero, aic_cycles, aiv_cycles,
      aic_pmu0, aic_pmu1, aic_pmu2, aic_pmu3, aic_pmu4, aic_pmu5, aic_pmu6, aic_pmu7, aic_pmu8, aic_pmu9,
      aiv_pmu0, aiv_pmu1, aiv_pmu2, aiv_pmu3, aiv_pmu4, aiv_pmu5, aiv_pmu6, aiv_pmu7, aiv_pmu8, aiv_pmu9
    FROM run WHERE is_op = 1 OR is_op = 2 AND :_old
    UNION ALL
    SELECT device_id, model_id, NULL, NULL, name, CASE WHEN op_type IS NULL THEN 'N/A' ELSE coalesce(word('name', 'name', op_type), printf('%u', op_type)) END,
      NULL, 'COMMUNICATION', start_ns, end_ns - start_ns,
      NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM comm_op WHERE start_ns IS NOT NULL AND NOT on_aicpu)
  WINDOW w AS (ORDER BY CAST(device_id AS TEXT), start_ns, is_op IS NULL, op_name)
)
