-- @form array
-- @needs tasks
-- @use prof_stamp
-- @each
SELECT *, 0 AS _alone FROM stamp
-- @use prof_marks
-- @rows
SELECT * FROM mark WHERE :_want_msproftx
-- @use prof_stream_marks
-- @layer
SELECT * FROM event WHERE :_want_msproftx
-- @use prof_mark_tracks
-- @layer
SELECT * FROM track WHERE NOT has_bit(:_off, trace_process("pid"))
-- @use prof_points
-- @use prof_tracks
-- @layer
SELECT * FROM track WHERE NOT has_bit(:_off, trace_process("pid")){device nullif("pid" & 31, 31)}
-- @split overlap.rowid
-- @layer
SELECT CASE kind WHEN 0 THEN 'Computing' WHEN 1 THEN 'Communication' WHEN 2 THEN 'Communication(Not Overlapped)' ELSE 'Free' END AS "name",
  :_pid_overlap + (:_places >> 4 * device_id & 15) * :_pid_step | device_id AS "pid", kind AS "tid",
  us(start_ns + :_wall) AS "ts", (end_ns - start_ns) / 1000.0 AS "dur", 'X' AS "ph", CASE WHEN :_old_trace THEN NULL ELSE 1 END AS "args"
FROM overlap WHERE rowid BETWEEN :split_first AND :split_last AND :_want_overlap{range device start_ns; end_ns}{device device_id} ORDER BY rowid
-- @split overlap.rowid
-- @layer
SELECT 'Free' AS "name", :_pid_overlap + (:_places >> 4 * device_id & 15) * :_pid_step | device_id AS "pid", 3 AS "tid", us(start_ns - free_ns + :_wall) AS "ts",
  free_ns / 1000.0 AS "dur", 'X' AS "ph", CASE WHEN :_old_trace THEN NULL ELSE 1 END AS "args"
FROM overlap WHERE rowid BETWEEN :split_first AND :split_last AND free_ns > 0 AND :_want_overlap{range device start_ns - free_ns; start_ns}{device device_id} ORDER BY rowid
-- @use prof_points
-- @use prof_frequency
-- @layer
SELECT 'AI Core Freq' AS "name", :_pid_freq | device_id AS "pid", 0 AS "tid", ts AS "ts", 'C' AS "ph", mhz AS "args.MHz"
FROM curve WHERE :_want_freq AND time_ns > :_from_ns AND time_ns <= :_to_ns{range device time_ns; time_ns}{device device_id} ORDER BY device_id, copy, number, step
-- @use prof_tasks
-- @split task.id
-- @layer
SELECT name AS "name", :_pid_ascend | device_id AS "pid", stream_id AS "tid", us(start_ns + :_wall) AS "ts",
  CASE WHEN :_tick_ns THEN round(dur_ns / :_tick_ns) * :_tick_ns ELSE dur_ns END / 1000.0 AS "dur", 'X' AS "ph", model_id AS "args.Model Id", task_type AS "args.Task Type",
  stream_id AS "args.Physic Stream Id", task_id AS "args.Task Id", batch_id AS "args.Batch Id", context_id AS "args.Subtask Id",
  coalesce(connection_id, 0 - (launch_ns IS NULL)) AS "args.connection_id"
FROM run WHERE id BETWEEN :split_first AND :split_last AND :_want_ascend AND has_parts IS NULL AND coalesce(host_kind, '') <> 'MEMCPY_ASYNC'
  {range device start_ns; start_ns + dur_ns}{device device_id} ORDER BY id
-- @layer
SELECT 'MEMCPY_ASYNC' AS "name", :_pid_ascend | t.device_id AS "pid", t.stream_id AS "tid", us(t.start_ns + :_wall) AS "ts",
  CASE WHEN :_tick_ns THEN round(t.dur_ns / :_tick_ns) * :_tick_ns ELSE t.dur_ns END / 1000.0 AS "dur", 'X' AS "ph", t.model_id AS "args.Model Id",
  CASE WHEN :_old_trace THEN 'MEMCPY_ASYNC' ELSE coalesce((SELECT name FROM task_kind k WHERE k.kind = t.device_type),
    (SELECT name FROM subtask_kind k WHERE k.kind = t.device_type - 256), CAST(t.device_type AS TEXT)) END AS "args.Task Type",
  t.stream_id AS "args.Physic Stream Id", t.task_id AS "args.Task Id", t.batch_id AS "args.Batch Id", t.context_id AS "args.Subtask Id",
  coalesce(t.connection_id, 0) AS "args.connection_id", iif(i.there, c.bytes, NULL) AS "args.size(B)",
  CASE WHEN i.there THEN coalesce(1.0 * c.bytes / nullif(t.dur_ns, 0), 0) END AS "args.bandwidth(GB/s)",
  CASE WHEN i.there THEN coalesce((SELECT name FROM copy_kind k WHERE k.kind = c.direction), 'other') END AS "args.operation"
FROM task_copy c CROSS JOIN task t ON t.id = c.id CROSS JOIN (SELECT EXISTS (SELECT 1 FROM memcpy_info) AND NOT :_old_trace AS there) i
WHERE t.start_ns IS NOT NULL AND :_want_ascend
  {range device t.start_ns; t.start_ns + t.dur_ns}{device t.device_id} ORDER BY t.id
-- @split task.id
-- @layer
SELECT 'HostToDevice' || (connection_id << 32) AS "name", :_pid_ascend | device_id AS "pid", stream_id AS "tid",
  'f' AS "ph", 'HostToDevice' AS "cat", CAST(connection_id << 32 AS TEXT) AS "id", us(start_ns + :_wall) AS "ts", 'e' AS "bp"
FROM task WHERE id BETWEEN :split_first AND :split_last AND is_op AND has_parts IS NULL AND connection_id IS NOT NULL AND start_ns IS NOT NULL
  AND :_arrows{range device start_ns; start_ns + dur_ns}{device device_id} ORDER BY task.id
-- copies, and tasks of calls that record an event or wait for one; in the older style each operator from its launch, each copy from its call
-- @layer
SELECT 'HostToDevice' || (t.connection_id << 32) AS "name", :_pid_ascend | t.device_id AS "pid", t.stream_id AS "tid",
  'f' AS "ph", 'HostToDevice' AS "cat", CAST(t.connection_id << 32 AS TEXT) AS "id", us(t.start_ns + :_wall) AS "ts", 'e' AS "bp"
FROM arrow a CROSS JOIN task t ON t.id = a.id
WHERE t.start_ns IS NOT NULL AND :_arrows{range device t.start_ns; t.start_ns + t.dur_ns}{device t.device_id}
UNION ALL SELECT 'HostToDevice' || id, CASE e.column1 WHEN 's' THEN :_pid_cann | 31 ELSE :_pid_ascend | device_id END, CASE e.column1 WHEN 's' THEN thread_id ELSE stream_id END,
  e.column1, 'HostToDevice', CAST(id AS TEXT), us(CASE e.column1 WHEN 's' THEN launch_ns ELSE start_ns END + :_wall), CASE e.column1 WHEN 'f' THEN 'e' END
FROM task CROSS JOIN (VALUES ('s'), ('f')) e WHERE :_old_arrows AND is_op AND start_ns IS NOT NULL
  {range device start_ns; start_ns + dur_ns}{device device_id} AND launch_ns IS NOT NULL
UNION ALL SELECT 'HostToDevice' || (t.connection_id << 32 | 1), CASE e.column1 WHEN 's' THEN :_pid_cann | 31 ELSE :_pid_ascend | t.device_id END,
  CASE e.column1 WHEN 's' THEN a.thread_id ELSE t.stream_id END, e.column1, 'HostToDevice', CAST(t.connection_id << 32 | 1 AS TEXT),
  us(CASE e.column1 WHEN 's' THEN a.start_ns ELSE t.start_ns END + :_wall), CASE e.column1 WHEN 'f' THEN 'e' END
FROM task_copy c CROSS JOIN task t ON t.id = c.id CROSS JOIN api a ON a.connection_id = t.connection_id CROSS JOIN (VALUES ('s'), ('f')) e
WHERE :_old_arrows AND t.is_op IS NULL AND t.start_ns IS NOT NULL{range device t.start_ns; t.start_ns + t.dur_ns}{device t.device_id}
-- @layer
SELECT name AS "name", :_pid_ascend | device_id AS "pid", stream_id AS "tid", us(start_ns + :_wall) AS "ts", (end_ns - start_ns) / 1000.0 AS "dur",
  'X' AS "ph", stream_id AS "args.Physic Stream Id", task_id AS "args.Task Id"
FROM turn_part WHERE :_want_ascend AND start_ns > :_from_ns AND start_ns <= :_to_ns{range device start_ns; end_ns}{device device_id} ORDER BY is_comm, row, part
-- @use prof_steps
-- @layer
SELECT "name", "pid", "tid", "ts", "dur", "ph", "cat", "id", "args.Iteration ID", "args.FP Start", "args.BP End", "args.Iteration End",
  "args.Iteration Time(us)", "args.FP_BP Time(us)", "args.Iteration Refresh(us)", "args.Data_aug Bound(us)"
FROM step_event WHERE :_want_ascend{range device start_ns; end_ns}{device nullif("pid" & 31, 31)} ORDER BY place
-- @use prof_steps
-- @layer
SELECT "name", "pid", "tid", "ts", "dur", "ph", "cat", "args.Iteration ID", "args.Reduce Start #", "args.Reduce End #", _number
FROM reduce_event WHERE :_want_ascend{range device start_ns; end_ns}{device nullif("pid" & 31, 31)}
-- @use prof_steps
-- @layer
SELECT "name", "pid", "tid", "ts", "dur", "ph", "cat", "args.GetNext Start", "args.GetNext End", "args.GetNext Time(us)"
FROM next_event WHERE :_want_ascend{range device start_ns; end_ns}{device nullif("pid" & 31, 31)}
-- @use prof_steps
-- @layer
SELECT * FROM step_track WHERE :_want_ascend{device nullif("pid" & 31, 31)}
-- @use prof_comm
-- @layer
SELECT 'process_name' AS "name", :_pid_communication | device_id AS "pid", 0 AS "tid", 'M' AS "ph", 'Communication' AS "args.name",
  NULL AS "args.labels", NULL AS "args.sort_index"
FROM (SELECT DISTINCT device_id FROM comm_track WHERE :_want_communication{device device_id})
UNION ALL SELECT 'process_labels', :_pid_communication | device_id, 0, 'M', NULL, 'NPU ' || device_id, NULL
FROM (SELECT DISTINCT device_id FROM comm_track WHERE :_want_communication{device device_id})
UNION ALL SELECT 'process_sort_index', :_pid_communication | device_id, 0, 'M', NULL, NULL, :_communication
FROM (SELECT DISTINCT device_id FROM comm_track WHERE :_want_communication{device device_id})
UNION ALL SELECT 'thread_name', :_pid_communication | device_id, track, 'M', name, NULL, NULL FROM comm_thread WHERE :_want_communication{device device_id}
UNION ALL SELECT 'thread_sort_index', :_pid_communication | device_id, track, 'M', NULL, NULL, track FROM comm_thread WHERE :_want_communication{device device_id}
-- @use prof_comm
-- @layer
SELECT name AS "name", :_pid_communication | device_id AS "pid", track AS "tid", us(start_ns + :_wall) AS "ts",
  CASE WHEN :_tick_ns THEN round(dur_ns / :_tick_ns) * :_tick_ns ELSE dur_ns END / 1000.0 AS "dur",
  'X' AS "ph", printf('%u', notify_id) AS "args.notify_id", double_of(estimate) AS "args.duration estimated(us)", stream_id AS "args.stream id", task_id AS "args.task id",
  context_id AS "args.context id", name AS "args.task type", local_rank AS "args.src rank", remote_rank AS "args.dst rank",
  coalesce((SELECT name FROM hccl_kind WHERE what = 'transport' AND kind = min(transport_type, 65535)), '') AS "args.transport type", size AS "args.size(Byte)",
  coalesce((SELECT name FROM hccl_kind WHERE what = 'data' AND kind = min(data_type, 65535)), '') AS "args.data type",
  coalesce((SELECT name FROM hccl_kind WHERE what = 'link' AND kind = min(link_type, 65535)), '') AS "args.link type",
  bandwidth AS "args.bandwidth(GB/s)", model_id AS "args.model id"
FROM comm_step WHERE :_want_communication{range device start_ns; start_ns + dur_ns}{device device_id} ORDER BY id
-- @layer
SELECT o.name AS "name", :_pid_communication | o.device_id AS "pid", g.track AS "tid", us(o.start_ns + :_wall) AS "ts", (o.end_ns - o.start_ns) / 1000.0 AS "dur",
  'X' AS "ph", o.rank_size AS "args.rank_size", o.connection_id AS "args.connection_id", o.model_id AS "args.model id",
  coalesce((SELECT name FROM hccl_kind WHERE what = 'data' AND kind = coalesce(o.data_type, 65534)), '') AS "args.data_type",
  CASE WHEN o.alg_type IS NULL THEN 'N/A' ELSE coalesce((SELECT name FROM name n WHERE n.hash = o.alg_type), printf('%u', o.alg_type)) END AS "args.alg_type",
  coalesce(o.count, -1) & 4294967295 AS "args.count",
  CASE WHEN :_old_trace THEN NULL WHEN o.relay = 1 THEN 'yes' ELSE 'no' END AS "args.relay",
  CASE WHEN :_old_trace THEN NULL WHEN o.retry = 1 THEN 'yes' ELSE 'no' END AS "args.retry"
FROM comm_op o CROSS JOIN comm_track g ON g.device_id = o.device_id AND g.step_group IS o.group_name AND g.on_aicpu = o.on_aicpu
WHERE :_want_communication AND o.start_ns IS NOT NULL{range device o.start_ns; o.end_ns}{device o.device_id} ORDER BY o.id
-- @layer
SELECT 'HostToDevice' || (o.connection_id << 32) AS "name", :_pid_communication | o.device_id AS "pid", g.track AS "tid",
  'f' AS "ph", 'HostToDevice' AS "cat", CAST(o.connection_id << 32 AS TEXT) AS "id", us(o.start_ns + :_wall) AS "ts", 'e' AS "bp"
FROM comm_op o CROSS JOIN comm_track g ON g.device_id = o.device_id AND g.step_group IS o.group_name AND g.on_aicpu = o.on_aicpu
WHERE :_want_communication AND :_want_cann AND o.start_ns IS NOT NULL{range device o.start_ns; o.end_ns}{device o.device_id} ORDER BY o.id
-- @use prof_api
-- @split api.connection_id
-- @layer
SELECT title AS "name", :_pid_cann | 31 AS "pid", thread_id AS "tid", us(start_ns + :_wall) AS "ts",
  dur_ns / 1000.0 AS "dur", 'X' AS "ph", thread_id AS "args.Thread Id", mode AS "args.Mode", level AS "args.level",
  id AS "args.id", item AS "args.item_id", connection_id AS "args.connection_id"
FROM call WHERE connection_id BETWEEN :split_first AND :split_last AND :_want_cann{range host start_ns; start_ns + dur_ns} ORDER BY connection_id
-- @split api.connection_id
-- @layer
SELECT 'HostToDevice' || (connection_id << 32) AS "name", :_pid_cann | 31 AS "pid", thread_id AS "tid",
  's' AS "ph", 'HostToDevice' AS "cat", CAST(connection_id << 32 AS TEXT) AS "id", us(start_ns + :_wall) AS "ts"
FROM api WHERE connection_id BETWEEN :split_first AND :split_last AND level = 10000 AND :_arrows{range host start_ns; start_ns + dur_ns} ORDER BY connection_id
-- @layer
SELECT 'HostToDevice' || (a.connection_id << 32) AS "name", :_pid_cann | 31 AS "pid", a.thread_id AS "tid",
  's' AS "ph", 'HostToDevice' AS "cat", CAST(a.connection_id << 32 AS TEXT) AS "id", us(a.start_ns + :_wall) AS "ts"
FROM arrow_call c CROSS JOIN api a ON a.connection_id = c.connection_id
WHERE :_arrows{range host a.start_ns; a.start_ns + a.dur_ns} ORDER BY a.connection_id
-- @layer
SELECT name AS "name", trace_pid(:_pid, 13, 31) AS "pid", tid AS "tid", us(start_ns + :_wall) AS "ts", CAST(round(dur_ns) AS INTEGER) / 1000.0 AS "dur", 'X' AS "ph", 1 AS "args"
FROM os_call WHERE NOT has_bit(:_off, 13) AND start_ns >= :_begin_ns{range host start_ns; start_ns + dur_ns} ORDER BY os_call.rowid
-- @use prof_os_tracks
-- @layer
SELECT * FROM track WHERE NOT has_bit(:_off, 13)
-- @use prof_unit_tracks
-- @layer
SELECT * FROM track WHERE 1{device _device}
-- @layer
SELECT CASE WHEN waits THEN 'Wait' ELSE 'LoopGroup' END AS "name", trace_pid(:_pid, 30, device_id) AS "pid", 0 AS "tid", us(start_ns + :_wall) AS "ts",
  (end_ns - start_ns) / 1000.0 AS "dur", 'X' AS "ph",
  stream_id AS "args.Physic Stream Id", task_id AS "args.Task Id",
  CASE WHEN waits THEN instr_id END AS "args.Notify Instruction ID", CASE WHEN waits THEN rank_id END AS "args.Notify Rank ID", CASE WHEN NOT waits THEN instr_id END AS "args.Instruction ID",
  die_id AS "args.Die Id", data_size AS "args.Data Size", CASE WHEN end_ns > start_ns THEN data_size * 1e9 / 1048576 / (end_ns - start_ns) END AS "args.Bandwidth (MB/s)",
  reduce_type AS "args.Reduce Op Type", input_type AS "args.Input Data Type", output_type AS "args.Output Data Type", mask AS "args.Mask"
FROM ccu_step WHERE NOT has_bit(:_off, 30) AND start_ns >= :_begin_ns{range device start_ns; end_ns}{device device_id} ORDER BY ccu_step.rowid
-- @layer
SELECT d.name AS "name", trace_pid(:_pid, 8, d.device_id) AS "pid", d.stream_id AS "tid", us(d.start_ns + :_wall) AS "ts", (d.end_ns - d.start_ns) / 1000.0 AS "dur", 'X' AS "ph",
  d.thread_id AS "args.Thread Id", d.stream_id AS "args.Physic Stream Id", d.task_id AS "args.Task Id",
  CASE WHEN d.step IS NULL THEN 'AI_CPU' END AS "args.Task Type", op_word AS "args.OP Type", npu_id AS "args.AI CPU Device Id", aicpu_task_id AS "args.AI CPU Task Id",
  group_word AS "args.Group Name", plane_id AS "args.Plane Id", CASE WHEN d.step IS NOT NULL THEN printf('%u', notify_id) END AS "args.Notify Id", double_of(estimate) AS "args.Duration Estimated(us)",
  rank_size AS "args.Rank Size", local_rank AS "args.Src Rank", remote_rank AS "args.Dst Rank", transport_word AS "args.Transport Type", size AS "args.Size(Byte)",
  CASE WHEN d.step IS NOT NULL THEN CASE WHEN d.end_ns > d.start_ns AND size >= 0 THEN size * 1.0 / (d.end_ns - d.start_ns) ELSE 0.0 END END AS "args.Bandwidth(GB/s)",
  data_word AS "args.Data Type", link_word AS "args.Link Type", rdma_word AS "args.Rdma Type"
FROM dpu_task d LEFT JOIN dpu_step s ON s.step = d.step
WHERE NOT has_bit(:_off, 8) AND d.start_ns >= :_begin_ns{range host d.start_ns; d.end_ns} ORDER BY d.rowid
-- @layer
SELECT 'Stream ' || t.stream_id || ' ' || coalesce((SELECT name FROM name n WHERE n.hash = t.op_name), '') AS "name", trace_pid(:_pid, 34, t.device_id) AS "pid", b.edge + 1 AS "tid",
  us(b.start_ns + :_wall) AS "ts", b.dur_ns / 1000.0 AS "dur", 'X' AS "ph", t.stream_id AS "args.Physic Stream Id", t.task_id AS "args.Task Id",
  t.batch_id AS "args.Batch Id", t.context_id AS "args.Subtask Id", b.core_id AS "args.Core Id", NULL AS "args.Core Type", NULL AS "args.Block Id", NULL AS "args.Checkpoint Info"
FROM block_edge b CROSS JOIN task t ON t.id = b.id WHERE NOT has_bit(:_off, 34){range device b.start_ns; b.start_ns + b.dur_ns}{device t.device_id}
UNION ALL SELECT name, trace_pid(:_pid, 32, device_id), track, us(start_ns + :_wall), dur_ns / 1000.0, 'X', NULL, NULL, NULL, NULL, NULL,
  substr(core, instr(core, '_') + 1), block_id, mark
FROM (SELECT *, dense_rank() OVER (PARTITION BY device_id ORDER BY core) - 1 AS track FROM instr_part)
WHERE NOT has_bit(:_off, 32){range device start_ns; start_ns + dur_ns}{device device_id}
-- @use prof_samples
-- @layer
SELECT name AS "name", trace_pid(:_pid, sort_index, 31) AS "pid", 0 AS "tid", 'M' AS "ph", label AS "args.name", labels AS "args.labels", place AS "args.sort_index"
FROM (
  SELECT 'process_name' AS name, sort_index, track AS label, NULL AS labels, NULL AS place FROM curve
  UNION SELECT 'process_labels', sort_index, NULL, 'CPU', NULL FROM curve
  UNION SELECT 'process_sort_index', sort_index, NULL, NULL, sort_index FROM curve
) WHERE NOT has_bit(:_off, sort_index)
-- times of the network are numbers in the older style
-- @use prof_samples
-- @layer
SELECT name AS "name", trace_pid(:_pid, sort_index, 31) AS "pid", 0 AS "tid",
  CASE WHEN :_old_trace AND sort_index = 11 THEN (time_ns + :_wall) / 1000 ELSE us(time_ns + :_wall) END AS "ts", 'C' AS "ph",
  CASE series WHEN 'Usage(%)' THEN value END AS "args.Usage(%)", CASE series WHEN 'KB' THEN value END AS "args.KB"
FROM curve WHERE NOT has_bit(:_off, sort_index) AND time_ns > :_from_ns AND time_ns <= :_to_ns{range host time_ns; time_ns}
-- @use prof_counters
-- @layer
SELECT 'process_name' AS "name", trace_pid(:_pid, shown, device_id) AS "pid", 0 AS "tid", 'M' AS "ph", track AS "args.name",
  NULL AS "args.labels", NULL AS "args.sort_index" FROM counter_process
UNION ALL SELECT 'process_name', trace_pid(:_pid, shown, device_id), 1, 'M', track, NULL, NULL FROM counter_process WHERE sort_index = 15 AND :_old_trace
UNION ALL SELECT 'process_labels', trace_pid(:_pid, shown, device_id), 0, 'M', NULL, 'NPU ' || device_id, NULL FROM counter_process
UNION ALL SELECT 'process_sort_index', trace_pid(:_pid, shown, device_id), 0, 'M', NULL, NULL, shown FROM counter_process
-- times of memory, HBM and caches are added up as doubles, as the reference does; in the older style they are doubles of microseconds
-- @use prof_counters
-- @layer
SELECT name AS "name", trace_pid(:_pid, shown + moves * (:_places >> 4 * device_id & 15) * :_step, device_id) AS "pid", tid AS "tid",
  CASE WHEN :_old_trace AND sort_index IN (24, 27) THEN repr(time_ns / 1000.0 + :_real_wall / 1000.0) || '00'
    ELSE us(CASE WHEN sort_index IN (17, 24, 27) THEN CAST(time_ns + :_real_wall AS INTEGER) ELSE time_ns + :_wall END) END AS "ts", 'C' AS "ph",
  CASE series WHEN 'MHz' THEN v1 END AS "args.MHz", CASE series WHEN 'KB' THEN v1 END AS "args.KB", CASE series WHEN 'Read' THEN v1 END AS "args.Read(MB/s)",
  CASE series WHEN 'Write' THEN v1 END AS "args.Write(MB/s)",
  CASE series WHEN 'Hit Rate' THEN v1 END AS "args.Hit Rate(%)", CASE series WHEN 'Throughput' THEN v1 END AS "args.Throughput(MB/s)",
  CASE series WHEN 'Port Rx' THEN v1 END AS "args.Rx Dropped Rate", CASE series WHEN 'Port Rx' THEN v2 END AS "args.Rx Error Rate",
  CASE series WHEN 'Port Rx' THEN v3 END AS "args.Rx Packets", CASE series WHEN 'Port Rx' THEN v4 END AS "args.Rx Bandwidth Efficiency",
  CASE series WHEN 'Port Tx' THEN v1 END AS "args.Tx Dropped Rate", CASE series WHEN 'Port Tx' THEN v2 END AS "args.Tx Error Rate",
  CASE series WHEN 'Port Tx' THEN v3 END AS "args.Tx Packets", CASE series WHEN 'Port Tx' THEN v4 END AS "args.Tx Bandwidth Efficiency",
  CASE series WHEN 'Rx' THEN v1 END AS "args.Rx(MB/s)", CASE series WHEN 'Tx' THEN v1 END AS "args.Tx(MB/s)",
  CASE series WHEN 'link' THEN v2 END AS "args.Rx", CASE series WHEN 'link' THEN v1 END AS "args.Tx", CASE series WHEN 'value' THEN v1 END AS "args.value",
  CASE series WHEN 'L2 Buffer Bw Level' THEN v1 END AS "args.L2 Buffer Bw Level", CASE series WHEN 'Mata Bw Level' THEN v1 END AS "args.Mata Bw Level",
  CASE WHEN series LIKE 'PA Link%' THEN v1 END AS "args.PA Link ID", CASE series WHEN 'PA Link Rx' THEN v2 END AS "args.PA Link Rx",
  CASE series WHEN 'PA Link Tx' THEN v2 END AS "args.PA Link Tx", CASE WHEN series LIKE 'PCIE%' THEN v1 END AS "args.PCIE ID",
  CASE series WHEN 'PCIE Read Bandwidth' THEN v2 END AS "args.PCIE Read Bandwidth", CASE series WHEN 'PCIE Write Bandwidth' THEN v2 END AS "args.PCIE Write Bandwidth",
  CASE WHEN series = 'U-Die' AND v1 = 0 THEN v2 END AS "args.U-Die0", CASE WHEN series = 'U-Die' AND v1 = 1 THEN v2 END AS "args.U-Die1",
  CASE series WHEN 'die' THEN v1 END AS "args.die 0", CASE series WHEN 'die' THEN v2 END AS "args.die 1", CASE series WHEN 'DIE' THEN v1 END AS "args.D-DIE0",
  CASE series WHEN 'DIE' THEN v3 END AS "args.U-DIE0", CASE series WHEN 'DIE' THEN v4 END AS "args.U-DIE1",
  CASE series WHEN 'port' THEN v1 END AS "args.bandwidth_rx(MB/s)", CASE series WHEN 'port' THEN v2 END AS "args.bandwidth_tx(MB/s)"
FROM counter_curve JOIN counter_layer USING (sort_index) WHERE NOT has_bit(:_off, sort_index) AND time_ns > :_from_ns AND time_ns <= :_to_ns AND time_ns >= :_begin_ns
  {range device time_ns; time_ns}{device device_id} AND name IS NOT NULL
