-- Tracks of Ascend 950: the unit for collectives, the processor for data, and the first and last blocks of tasks.
WITH unit(sort_index, device_id, track, label, tid, thread) AS (
  SELECT 30, device_id, 'CCU', 'NPU ' || device_id, 0, 'Communication' FROM ccu_step WHERE NOT has_bit(:_off, 30) AND start_ns >= :_begin_ns GROUP BY device_id
  UNION ALL
  SELECT 8, device_id, 'CANN', 'DPU ' || device_id, stream_id, 'Stream ' || stream_id FROM dpu_task WHERE NOT has_bit(:_off, 8) AND start_ns >= :_begin_ns GROUP BY device_id, stream_id
  UNION ALL
  SELECT 32, device_id, 'Biu Perf', 'NPU ' || device_id, dense_rank() OVER (PARTITION BY device_id ORDER BY core) - 1, 'Group' || replace(core, '_', '-')
  FROM instr_part WHERE NOT has_bit(:_off, 32) GROUP BY device_id, core
  UNION ALL
  SELECT 34, t.device_id, 'Block Detail', 'NPU ' || t.device_id, edge + 1, pick(edge, 'AIC Earliest', 'AIC Latest', 'AIV Earliest', 'AIV Latest')
  FROM block_edge b CROSS JOIN task t ON t.id = b.id WHERE NOT has_bit(:_off, 34) GROUP BY t.device_id, edge
), track AS (
  SELECT DISTINCT 'process_name' AS "name", trace_pid(:_pid, sort_index, device_id) AS "pid", 0 AS "tid", 'M' AS "ph", track AS "args.name", NULL AS "args.labels",
    NULL AS "args.sort_index", device_id AS _device FROM unit
  UNION ALL SELECT DISTINCT 'process_labels', trace_pid(:_pid, sort_index, device_id), 0, 'M', NULL, label, NULL, device_id FROM unit
  UNION ALL SELECT DISTINCT 'process_sort_index', trace_pid(:_pid, sort_index, device_id), 0, 'M', NULL, NULL, sort_index, device_id FROM unit
  UNION ALL SELECT 'thread_name', trace_pid(:_pid, sort_index, device_id), tid, 'M', thread, NULL, NULL, device_id FROM unit
  UNION ALL SELECT 'thread_sort_index', trace_pid(:_pid, sort_index, device_id), tid, 'M', NULL, NULL, tid, device_id FROM unit
)
