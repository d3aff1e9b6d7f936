-- The rows of task: those of the devices in order of device and start, then tasks that were launched and did not run. An engine computes
-- these terms while the tasks are joined; a term that the engine does not know makes the import slower, and nothing else.
SELECT t.device_id, t.stream_id, t.task_id, t.batch_id, t.context_id, t.start_ns, t.end_ns - t.start_ns AS dur_ns, t.wait_ns, t.before_ns,
  t.task_type AS device_type, t.launch_thread_id AS thread_id, t.launch_time_ns AS launch_ns, t.connection_id, 4294967295 AS model_id,
  t.is_op, t.launch_task_type AS host_type, t.launch_kernel_name AS kernel_name,
  CASE WHEN t.is_op AND t.node_id IS NULL THEN t.launch_kernel_name WHEN :level0 AND t.is_op THEN coalesce(t.info_op_name, peek('node_item', t.node_id))
    ELSE t.info_op_name END AS op_name,
  CASE WHEN :level0 AND t.is_op THEN NULL WHEN t.is_op AND t.node_id IS NULL THEN t.launch_kernel_name ELSE t.info_op_type END AS op_type,
  CASE WHEN :level0 AND t.is_op THEN NULL WHEN t.is_op AND t.node_id IS NULL THEN peek('kernel_kind', t.launch_task_type)
    ELSE t.info_task_type END AS node_type, CASE WHEN t.launch_data_len = 40 THEN t.launch_block_num & 65535
    WHEN NOT :level0 THEN t.info_block_num END AS block_num,
  CASE WHEN t.launch_data_len = 40 THEN (t.launch_block_num & 65535) * (t.launch_block_num >> 16)
    WHEN NOT :level0 THEN t.info_block_num * t.info_mix_num END AS mix_num, CASE WHEN NOT :level0 THEN t.info_op_flag END AS op_flag,
  CASE WHEN :level0 THEN NULL WHEN t.info_aging IS NOT NULL THEN 1 WHEN t.info_op_name IS NOT NULL THEN 0 END AS op_state,
  CASE WHEN :tensors AND NOT :level0 AND t.node_id IS NOT NULL
    THEN coalesce(peek('tensor_of_op', t.node_id, t.info_op_name), peek('tensor_of_call', t.node_id)) END AS tensor_id,
  t.mhz AS frequency_mhz,
  CASE WHEN t.aic_total_cycles IS NOT NULL THEN core_us(t.aic_total_cycles, t.mhz,
    CASE WHEN t.launch_data_len = 40 THEN t.launch_block_num & 65535
      WHEN NOT :level0 THEN t.info_block_num END, :cores) END AS aic_us,
  CASE WHEN t.aiv_total_cycles IS NOT NULL THEN core_us(t.aiv_total_cycles, t.mhz,
    CASE WHEN t.launch_data_len = 40 THEN t.launch_block_num & 65535
      WHEN NOT :level0 THEN t.info_block_num END, :aiv_cores) END AS aiv_us,
  t.aic_total_cycles AS aic_cycles, t.aic_pmu0, t.aic_pmu1, t.aic_pmu2, t.aic_pmu3, t.aic_pmu4, t.aic_pmu5, t.aic_pmu6, t.aic_pmu7,
  t.aiv_total_cycles AS aiv_cycles, t.aiv_pmu0, t.aiv_pmu1, t.aiv_pmu2, t.aiv_pmu3, t.aiv_pmu4, t.aiv_pmu5, t.aiv_pmu6, t.aiv_pmu7
FROM temp.joined_task t
