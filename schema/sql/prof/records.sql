-- Runs after tables.sql: the tables of PROF jobs that have records as they are in the files. What a column means is said in schema/records, too.

-- All calls, in order of their start.
CREATE TABLE api(
  connection_id INTEGER PRIMARY KEY, -- numbers them from 1, and connects a call with what it launched
  level INTEGER, type INTEGER, -- type_name has the name of both
  thread_id INTEGER,
  item_id INTEGER,             -- the hash of what it is about
  start_ns INTEGER, dur_ns INTEGER
);

-- Records of calls without an end.
CREATE TABLE event(
  level INTEGER, type INTEGER, thread_id INTEGER, request_id INTEGER, item_id INTEGER, time_ns INTEGER
);

CREATE TABLE task_track(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, device_id INTEGER, device_type INTEGER,
  stream_id INTEGER, task_id INTEGER, batch_id INTEGER, task_type INTEGER, kernel_name INTEGER, block_num INTEGER,
  more BLOB, time_ns INTEGER
);

CREATE TABLE node_basic_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, op_name INTEGER, task_type INTEGER,
  op_type INTEGER, block_num INTEGER, mix_num INTEGER, op_flag INTEGER,
  aging INTEGER,               -- NULL for static shapes
  time_ns INTEGER
);

CREATE TABLE node_attr_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, op_name INTEGER, attr_type INTEGER, attr INTEGER,
  time_ns INTEGER
);

CREATE TABLE memcpy_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, data_size INTEGER, max_size INTEGER, direction INTEGER,
  time_ns INTEGER
);

CREATE TABLE hccl_op_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, relay INTEGER, retry INTEGER, flags INTEGER,
  data_type INTEGER, alg_type INTEGER, count INTEGER, group_name INTEGER, time_ns INTEGER
);

CREATE TABLE expand_stream_spec(level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, expand_status INTEGER);

CREATE TABLE capture_stream_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, capture_status INTEGER, model_stream_id INTEGER,
  original_stream_id INTEGER, model_id INTEGER, device_id INTEGER, time_ns INTEGER
);

CREATE TABLE tensor_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, op_name INTEGER, tensor_num INTEGER,
  tensors BLOB, time_ns INTEGER
);

CREATE TABLE context_id_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, op_name INTEGER, context_num INTEGER,
  contexts BLOB, time_ns INTEGER
);

CREATE TABLE graph_id_map(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, model_name INTEGER, graph_id INTEGER, model_id INTEGER,
  time_ns INTEGER
);
CREATE INDEX graph_by_time ON graph_id_map(time_ns);
CREATE INDEX graph_by_model ON graph_id_map(model_id);

CREATE TABLE fusion_op_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, fusion_name INTEGER, op_num INTEGER,
  input_bytes INTEGER, output_bytes INTEGER, weight_bytes INTEGER, workspace_bytes INTEGER, total_bytes INTEGER,
  ops BLOB, time_ns INTEGER
);

CREATE TABLE multi_thread(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, thread_num INTEGER, threads BLOB,
  time_ns INTEGER
);

CREATE TABLE static_op_mem(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, size INTEGER, operator INTEGER, first_node INTEGER, last_node INTEGER,
  total_allocated INTEGER, model INTEGER, graph_id INTEGER, time_ns INTEGER
);

CREATE TABLE task_memory_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, address INTEGER, size INTEGER, operator INTEGER,
  total_allocated INTEGER, total_reserved INTEGER, device_id INTEGER, device_type INTEGER, time_ns INTEGER
);

CREATE TABLE hccl_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, item_id INTEGER, ccl_tag INTEGER,
  group_name INTEGER, local_rank INTEGER, remote_rank INTEGER, rank_size INTEGER, work_flow_mode INTEGER,
  plane_id INTEGER, context_id INTEGER, notify_id INTEGER, stage INTEGER, role INTEGER, estimate INTEGER, src_addr INTEGER,
  dst_addr INTEGER, size INTEGER, op_type INTEGER, data_type INTEGER, link_type INTEGER, transport_type INTEGER,
  rdma_type INTEGER, time_ns INTEGER
);

CREATE TABLE capture_op_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, model_id INTEGER, device_id INTEGER, stream_id INTEGER,
  task_id INTEGER, task_type INTEGER, block_num INTEGER, mix_num INTEGER, op_name INTEGER, op_type INTEGER, attr INTEGER,
  op_flag INTEGER, tensor_num INTEGER, tensors BLOB,
  aging INTEGER,               -- NULL for static shapes
  time_ns INTEGER
);

CREATE TABLE mc2_comm_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, group_name INTEGER, rank_size INTEGER, rank_id INTEGER,
  usr_rank_id INTEGER, stream_id INTEGER, stream_count INTEGER, streams BLOB, time_ns INTEGER
);

CREATE TABLE msproftx(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, info_type INTEGER, segment INTEGER,
  process_id INTEGER, tid INTEGER, category INTEGER, event_type INTEGER, payload_type INTEGER, payload_value INTEGER,
  mark_id INTEGER, domain INTEGER, message_type INTEGER, message TEXT, time_ns INTEGER, start_ns INTEGER,
  dur_ns INTEGER
);

CREATE TABLE hash_dic(
  hash INTEGER, name TEXT
);

CREATE TABLE type_info_dic(
  level INTEGER, type INTEGER, name TEXT
);

CREATE TABLE stars_log(
  end INTEGER, task_type INTEGER, stream_id INTEGER, task_id INTEGER, acc_id INTEGER, acsq_id INTEGER,
  plain INTEGER, time_ns INTEGER
);

CREATE TABLE fusion_log(
  end INTEGER, task_type INTEGER, task_id INTEGER, fusion_type INTEGER, mission_id INTEGER, acc_id INTEGER,
  time_ns INTEGER
);

CREATE TABLE v6_other(
  func_type INTEGER, task_type INTEGER, task_id INTEGER, time_ns INTEGER
);

CREATE TABLE ffts_log(
  end INTEGER, task_type INTEGER, stream_id INTEGER, task_id INTEGER, subtask_type INTEGER, context_id INTEGER,
  ffts_type INTEGER, ffts_thread INTEGER, time_ns INTEGER
);

CREATE TABLE stars_qos(
  die_id INTEGER, bw1 INTEGER, bw2 INTEGER, bw3 INTEGER, bw4 INTEGER, bw5 INTEGER, bw6 INTEGER, bw7 INTEGER,
  bw8 INTEGER, bw9 INTEGER, bw10 INTEGER, time_ns INTEGER
);

CREATE TABLE sio(
  die_id INTEGER, acc_id INTEGER, req_rx INTEGER, rsp_rx INTEGER, snp_rx INTEGER, dat_rx INTEGER, req_tx INTEGER,
  rsp_tx INTEGER, snp_tx INTEGER, dat_tx INTEGER, time_ns INTEGER
);

CREATE TABLE acc_pmu(
  die_id INTEGER, acc_id INTEGER, write_bandwidth INTEGER, read_bandwidth INTEGER, write_ost INTEGER,
  read_ost INTEGER, time_ns INTEGER
);

CREATE TABLE chip_trans(
  die_id INTEGER, event_id INTEGER, value1 INTEGER, value2 INTEGER, time_ns INTEGER
);

CREATE TABLE inter_soc(
  die_id INTEGER, mata_level INTEGER, buffer_level INTEGER, time_ns INTEGER
);

CREATE TABLE netdev_stats(
  stamp_ns INTEGER, mac_tx_pfc INTEGER, mac_rx_pfc INTEGER, mac_tx_bytes INTEGER, mac_rx_bytes INTEGER, mac_tx_bad_bytes INTEGER,
  mac_rx_bad_bytes INTEGER, roce_tx_packets INTEGER, roce_rx_packets INTEGER, roce_tx_errors INTEGER, roce_rx_errors INTEGER,
  roce_tx_cnp INTEGER, roce_rx_cnp INTEGER, roce_retries INTEGER, nic_tx_bytes INTEGER, nic_rx_bytes INTEGER
);

CREATE TABLE low_power(
  die_id INTEGER, samples BLOB, time_ns INTEGER
);

CREATE TABLE block_log(
  end INTEGER, task_type INTEGER, stream_id INTEGER, task_id INTEGER, context_type INTEGER, mst INTEGER, mix INTEGER,
  core_type INTEGER, core_id INTEGER, block_id INTEGER, time_ns INTEGER
);

CREATE TABLE pmu(
  task_type INTEGER, stream_id INTEGER, task_id INTEGER, subtask_type INTEGER, overflow INTEGER, context_id INTEGER,
  ffts_type INTEGER, total_cycles INTEGER, pmu0 INTEGER, pmu1 INTEGER, pmu2 INTEGER, pmu3 INTEGER, pmu4 INTEGER,
  pmu5 INTEGER, pmu6 INTEGER, pmu7 INTEGER, start_ns INTEGER, dur_ns INTEGER
);

CREATE TABLE block_pmu(
  task_type INTEGER, stream_id INTEGER, task_id INTEGER, subtask_type INTEGER, context_id INTEGER, core_type INTEGER,
  core_id INTEGER, ffts_type INTEGER, sub_block_id INTEGER, block_id INTEGER, total_cycles INTEGER, pmu0 INTEGER,
  pmu1 INTEGER, pmu2 INTEGER, pmu3 INTEGER, pmu4 INTEGER, pmu5 INTEGER, pmu6 INTEGER, pmu7 INTEGER, start_ns INTEGER,
  dur_ns INTEGER
);

CREATE TABLE v6_pmu(
  task_type INTEGER, task_id INTEGER, total_cycles INTEGER, context_type INTEGER, mst INTEGER,
  mix INTEGER, overflow INTEGER, core_type INTEGER, core_id INTEGER, sub_block_id INTEGER, block_id INTEGER,
  pmu0 INTEGER, pmu1 INTEGER, pmu2 INTEGER, pmu3 INTEGER, pmu4 INTEGER, pmu5 INTEGER, pmu6 INTEGER, pmu7 INTEGER,
  pmu8 INTEGER, pmu9 INTEGER, start_ns INTEGER, dur_ns INTEGER
);

CREATE TABLE v6_block(
  task_type INTEGER, task_id INTEGER, total_cycles INTEGER, context_type INTEGER, mst INTEGER,
  mix INTEGER, overflow INTEGER, core_type INTEGER, core_id INTEGER, sub_block_id INTEGER, block_id INTEGER,
  pmu0 INTEGER, pmu1 INTEGER, pmu2 INTEGER, pmu3 INTEGER, pmu4 INTEGER, pmu5 INTEGER, pmu6 INTEGER, pmu7 INTEGER,
  pmu8 INTEGER, pmu9 INTEGER, start_ns INTEGER, dur_ns INTEGER
);

CREATE TABLE ts_step(
  index_id INTEGER, model_id INTEGER, stream_id INTEGER, task_id INTEGER, tag_id INTEGER, time_ns INTEGER
);

CREATE TABLE ts_memcpy(
  stream_id INTEGER, task_id INTEGER, state INTEGER, time_ns INTEGER
);

CREATE TABLE ts_task_type(
  stream_id INTEGER, task_id INTEGER, task_type INTEGER, state INTEGER, time_ns INTEGER
);

CREATE TABLE ts_flip(
  stream_id INTEGER, flip_num INTEGER, task_id INTEGER, time_ns INTEGER
);

CREATE TABLE ts_block_num(
  stream_id INTEGER, task_id INTEGER, block_num INTEGER, time_ns INTEGER
);

CREATE TABLE freq(
  points INTEGER, entries BLOB
);

CREATE TABLE lpm(points INTEGER, kind INTEGER, entries BLOB);

INSERT INTO record_table VALUES ('lpm');

CREATE TABLE npu_mem(
  stamp_us INTEGER, event INTEGER, ddr_bytes INTEGER, hbm_bytes INTEGER
);

CREATE TABLE npu_module_mem(
  module_id INTEGER, total_bytes INTEGER, time_ns INTEGER
);

CREATE TABLE qos(
  bw1 INTEGER, bw2 INTEGER, bw3 INTEGER, bw4 INTEGER, bw5 INTEGER, bw6 INTEGER, bw7 INTEGER, bw8 INTEGER, bw9 INTEGER, bw10 INTEGER,
  time_ns INTEGER
);

CREATE TABLE ub(
  magic INTEGER, port_id INTEGER, stamp_us INTEGER, -- the kind of record, the number of the port, and us since the start of the device
  -- MB/s by requests of the bus, what the port can carry, and what it counted
  rx_udma INTEGER, tx_udma INTEGER, rx_bandwidth INTEGER, rx_packet INTEGER, rx_bytes INTEGER, rx_packets INTEGER, rx_errors INTEGER,
    rx_dropped INTEGER, tx_bandwidth INTEGER, tx_packet INTEGER, tx_bytes INTEGER, tx_packets INTEGER, tx_errors INTEGER, tx_dropped INTEGER
);

CREATE TABLE ccu_mission(
  waits BLOB, wait_count INTEGER, wait_instr_id INTEGER, loop_count INTEGER, loop_instr_id INTEGER, task_id INTEGER, wait_ns INTEGER, loop_ns INTEGER,
  loop_dur_ns INTEGER
);

CREATE TABLE ccu_channel(
  samples BLOB
);

CREATE TABLE ccu_task_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, version INTEGER, work_flow_mode INTEGER, item_id INTEGER, group_name INTEGER,
  rank_id INTEGER, rank_size INTEGER, stream_id INTEGER, task_id INTEGER, die_id INTEGER, mission_id INTEGER, instr_id INTEGER, time_ns INTEGER
);

CREATE TABLE ccu_wait_signal_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, version INTEGER, item_id INTEGER, group_name INTEGER, rank_id INTEGER, rank_size
  INTEGER, work_flow_mode INTEGER, stream_id INTEGER, task_id INTEGER, die_id INTEGER, instr_id INTEGER, mission_id INTEGER, cke_id INTEGER, mask
  INTEGER, channels BLOB, remote_ranks BLOB, time_ns INTEGER
);

CREATE TABLE ccu_group_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, version INTEGER, item_id INTEGER, group_name INTEGER, rank_id INTEGER, rank_size
  INTEGER, work_flow_mode INTEGER, stream_id INTEGER, task_id INTEGER, die_id INTEGER, instr_id INTEGER, mission_id INTEGER, reduce_type INTEGER,
  input_type INTEGER, output_type INTEGER, data_size INTEGER, channels BLOB, remote_ranks BLOB, time_ns INTEGER
);

CREATE TABLE dpu_hccl_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, item_id INTEGER, ccl_tag INTEGER, group_name INTEGER, local_rank INTEGER,
  remote_rank INTEGER, rank_size INTEGER, stage INTEGER, notify_id INTEGER, estimate INTEGER, src_addr INTEGER, dst_addr INTEGER, size INTEGER, task_id
  INTEGER, aicpu_task_id INTEGER, stream_id INTEGER, plane_id INTEGER, device_id INTEGER, dpu_device_id INTEGER, device_type INTEGER, op_type INTEGER,
  data_type INTEGER, link_type INTEGER, transport_type INTEGER, rdma_type INTEGER, role INTEGER, work_flow_mode INTEGER, start_ns INTEGER, time_ns
  INTEGER
);

CREATE TABLE dpu_track(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, device_id INTEGER, device_type INTEGER, stream_id INTEGER, task_id INTEGER,
  task_type INTEGER, start_ns INTEGER, dur_ns INTEGER
);

INSERT INTO record_table VALUES ('ccu_mission'), ('ccu_channel'), ('ccu_task_info'), ('ccu_wait_signal_info'), ('ccu_group_info'), ('dpu_hccl_info'), ('dpu_track');

CREATE TABLE soc_pmu(
  task_type INTEGER, stream_id INTEGER, task_id INTEGER, data_type INTEGER, event0 INTEGER, event1 INTEGER,
  event2 INTEGER, event3 INTEGER, event4 INTEGER, event5 INTEGER, event6 INTEGER, event7 INTEGER
);

-- Lines of samples of the processors of the host. A line with a time begins a sample.
CREATE TABLE host_cpu(stamp_ns INTEGER, line TEXT);

-- Lines of samples of the memory of the program, in pages.
CREATE TABLE host_memory(stamp_ns INTEGER, size INTEGER, resident INTEGER);

-- Lines of samples of the network cards of the host. A line with a time begins a sample.
CREATE TABLE host_network(stamp_ns INTEGER, card TEXT, rx_bytes INTEGER, tx_bytes INTEGER);

CREATE TABLE instr_sample(
  read_commands INTEGER, write_commands INTEGER, read_latency INTEGER, write_latency_low INTEGER, write_latency_high INTEGER, read_flux INTEGER,
  write_flux INTEGER, read_l2_flux INTEGER, write_l2_flux INTEGER, stamp0 INTEGER, stamp1 INTEGER, l2_hits INTEGER, vector INTEGER, scalar INTEGER, cube
  INTEGER, lsu1 INTEGER, lsu2 INTEGER, lsu3_low INTEGER, lsu3_high INTEGER, stamp2 INTEGER
);

CREATE TABLE instr_word(cycles INTEGER, events INTEGER, kind INTEGER);

CREATE TABLE ts_cpu(
  pc INTEGER, stamp INTEGER, event0 INTEGER, count0 INTEGER, event1 INTEGER, count1 INTEGER, event2 INTEGER, count2 INTEGER, event3 INTEGER, count3
  INTEGER, event4 INTEGER, count4 INTEGER, event5 INTEGER, count5 INTEGER, event6 INTEGER, count6 INTEGER
);

CREATE TABLE logic_stream_info(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, logic_stream_id INTEGER, stream_num INTEGER, streams BLOB, time_ns INTEGER
);

CREATE TABLE model_exeom(
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, model_id INTEGER, model_name INTEGER, time_ns INTEGER
);

CREATE TABLE nano_task(
  task_type INTEGER, model_id INTEGER, task_id INTEGER, stamp_low INTEGER, duration INTEGER, cycles_low INTEGER, stamp_mid INTEGER, stamp_high INTEGER,
  cycles_high INTEGER, pmu0 INTEGER, pmu1 INTEGER, pmu2 INTEGER, pmu3 INTEGER, pmu4 INTEGER, pmu5 INTEGER, pmu6 INTEGER, pmu7 INTEGER, pmu8 INTEGER,
  pmu9 INTEGER
);

INSERT INTO record_table VALUES ('instr_sample'), ('instr_word'), ('ts_cpu'), ('logic_stream_info'), ('model_exeom'), ('nano_task');

-- Clock ticks of a process and of all processors, on a device or on the host. A row with a stamp begins a sample.
CREATE TABLE process_cpu(
  stamp_ns INTEGER, number INTEGER, -- the time and the number of a sample
  name TEXT, pid INTEGER,      -- of the process
  user INTEGER, system INTEGER, child_user INTEGER, child_system INTEGER, -- ticks of the process and of those that it waited for
  -- ticks of all processors, as in /proc/stat
  all_user INTEGER, all_nice INTEGER, all_system INTEGER, all_idle INTEGER, all_iowait INTEGER, all_irq INTEGER,
    all_softirq INTEGER, all_steal INTEGER, all_guest INTEGER, all_guest_nice INTEGER
);

-- Pages of a process, on a device or on the host. A row with a stamp begins a sample. The file in `source` begins with its number.
CREATE TABLE process_memory(
  stamp_ns INTEGER, number INTEGER, -- the time and the number of a sample
  name TEXT,                   -- of the process
  size INTEGER, resident INTEGER, shared INTEGER -- pages
);

-- Lines of samples of the disks of the host, by iotop.
CREATE TABLE host_disk(
  start_ns INTEGER,            -- when the first sample was taken
  pid INTEGER, line TEXT       -- the process, and what follows: priority, user, read, unit, written, unit, swapped in, %, waited for, %, program
);

-- System calls of the program, by perf.
CREATE TABLE host_syscall(
  start_ms TEXT, dur_ms TEXT,  -- as they are written
  comm TEXT, tid INTEGER,      -- the name and the number of the thread; NULL where there is only one
  name TEXT                    -- of the call
);

-- Calls of threads of the program, by ltrace.
CREATE TABLE host_pthread(
  start_s TEXT, dur_s TEXT,    -- as they are written
  comm TEXT, tid INTEGER,      -- the program, and the number of the thread
  name TEXT                    -- of the call
);

-- Samples of processors of the device, by perf: a line with an event begins a sample, the lines after it are its stack.
CREATE TABLE cpu_perf_line(
  comm TEXT, pid INTEGER, tid INTEGER, -- the program, the process and the thread
  core INTEGER,                -- the number of the processor
  seconds TEXT,                -- the time as it is written
  count INTEGER, event TEXT,   -- how often the event occurred since the sample before: `r11`, or `raw 0x11`
  line TEXT                    -- of the stack: address, function+offset and (module)
);

INSERT INTO record_table VALUES ('process_cpu'), ('process_memory'), ('host_disk'), ('host_syscall'), ('host_pthread'), ('cpu_perf_line');

-- Chips 1 to 4: what their log has besides tasks.
CREATE TABLE hwts_block(
  type INTEGER, task_type INTEGER, block_id INTEGER, task_id INTEGER, stream_id INTEGER, time_ns INTEGER
);

-- Chips 1 to 4: counters of tasks on the vector cores.
CREATE TABLE aiv_pmu(
  task_id INTEGER, total_cycles INTEGER, pmu0 INTEGER, pmu1 INTEGER, pmu2 INTEGER, pmu3 INTEGER, pmu4 INTEGER,
  pmu5 INTEGER, pmu6 INTEGER, pmu7 INTEGER, stream_id INTEGER
);

CREATE TABLE aicpu_node(
  stream_id INTEGER, task_id INTEGER, run_start_us INTEGER, compute_start_us INTEGER, memcpy_start_us INTEGER,
  memcpy_end_us INTEGER, run_end_us INTEGER, thread_id INTEGER, device INTEGER, schedule_tick INTEGER,
  before_run_tick INTEGER, kernel_type INTEGER, dispatch_us INTEGER, total_us INTEGER, ffts_thread INTEGER,
  version INTEGER, start_ns INTEGER, dur_ns INTEGER, total_ns INTEGER
);

CREATE TABLE data_queue(action TEXT, source TEXT, queue_index INTEGER, queue_size INTEGER, time_ns INTEGER);

CREATE TABLE aicpu_model(index_id INTEGER, model_id INTEGER, tag_id INTEGER, event_id INTEGER, time_ns INTEGER);

CREATE TABLE aicpu_mi(node_tag INTEGER, queue_size INTEGER, start_us INTEGER, end_us INTEGER);

CREATE TABLE comm_turn(
  rank INTEGER, stream_id INTEGER, task_id INTEGER, turns INTEGER, turn INTEGER, begun_ns INTEGER, waiting_ns INTEGER,
  planning_ns INTEGER, sending_ns INTEGER, sent_ns INTEGER, executed_ns INTEGER, ended_ns INTEGER
);

CREATE TABLE compute_turn(
  rank INTEGER, stream_id INTEGER, task_id INTEGER, turns INTEGER, turn INTEGER, waiting_ns INTEGER, computing_ns INTEGER,
  ended_ns INTEGER
);

CREATE TABLE device_op_info(
  relay INTEGER, retry INTEGER, flags INTEGER, data_type INTEGER, alg_type INTEGER, count INTEGER, group_name INTEGER,
  rank_size INTEGER, stream_id INTEGER, task_id INTEGER, time_ns INTEGER
);

CREATE TABLE aicpu_flip(stream_id INTEGER, task_id INTEGER, flip_num INTEGER, time_ns INTEGER);

CREATE TABLE device_end(aicpu_stream_id INTEGER, aicpu_task_id INTEGER, stream_id INTEGER, task_id INTEGER, is_last INTEGER, time_ns INTEGER);

CREATE TABLE device_step(
  item_id INTEGER, ccl_tag INTEGER, group_name INTEGER, local_rank INTEGER, remote_rank INTEGER, rank_size INTEGER,
  stage INTEGER, notify_id INTEGER, estimate INTEGER, src_addr INTEGER, dst_addr INTEGER, size INTEGER, task_id INTEGER,
  stream_id INTEGER, plane_id INTEGER, op_type INTEGER, data_type INTEGER, link_type INTEGER, transport_type INTEGER,
  rdma_type INTEGER, role INTEGER, work_flow_mode INTEGER, time_ns INTEGER,
  item_id2 INTEGER, ccl_tag2 INTEGER, group_name2 INTEGER, local_rank2 INTEGER, remote_rank2 INTEGER, rank_size2 INTEGER,
  stage2 INTEGER, notify_id2 INTEGER, estimate2 INTEGER, src_addr2 INTEGER, dst_addr2 INTEGER, size2 INTEGER, task_id2 INTEGER,
  stream_id2 INTEGER, plane_id2 INTEGER, op_type2 INTEGER, data_type2 INTEGER, link_type2 INTEGER, transport_type2 INTEGER,
  rdma_type2 INTEGER, role2 INTEGER, work_flow_mode2 INTEGER, time2_ns INTEGER
);

CREATE TABLE aicpu_other(level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, stamp INTEGER, payload BLOB);

-- The processors, in samples of `msprof PROGRAM` from `/proc`.
CREATE TABLE cpu_sample(
  time_ns INTEGER,
  cpu TEXT,                    -- a number, or all
  -- only grow: the difference of two samples is the use between them
  user_us INTEGER, system_us INTEGER, iowait_us INTEGER, irq_us INTEGER, softirq_us INTEGER, idle_us INTEGER
);

-- The memory of the machine, in samples of `msprof PROGRAM` from `/proc`.
CREATE TABLE memory_sample(
  time_ns INTEGER,
  -- as in /proc/meminfo
  total_kb INTEGER, free_kb INTEGER, available_kb INTEGER, buffers_kb INTEGER, cached_kb INTEGER, shared_kb INTEGER
);

-- The names of threads that recorded something.
CREATE TABLE thread_name(tid INTEGER, name TEXT);

-- Operators that the program told its recorder, with times of the host.
CREATE TABLE host_operator(
  thread_id INTEGER,
  op_name INTEGER, op_type INTEGER, -- hashes; op_type 0 has no name
  start_ns INTEGER, dur_ns INTEGER
);

-- The program and all that it started, in samples of `msprof PROGRAM` from `/proc`.
CREATE TABLE process_sample(
  time_ns INTEGER, pid INTEGER,
  user_us INTEGER, system_us INTEGER, -- only grow: the difference of two samples is the use between them
  size_kb INTEGER, resident_kb INTEGER, shared_kb INTEGER, -- of memory
  name TEXT                    -- of the process
);

INSERT INTO record_table VALUES
  ('api'), ('event'), ('task_track'), ('node_basic_info'), ('node_attr_info'), ('memcpy_info'), ('hccl_op_info'),
  ('capture_stream_info'), ('tensor_info'), ('context_id_info'), ('graph_id_map'), ('fusion_op_info'),
  ('multi_thread'), ('task_memory_info'), ('static_op_mem'), ('hccl_info'), ('msproftx'), ('hash_dic'), ('type_info_dic'),
  ('stars_log'), ('v6_other'), ('ffts_log'), ('stars_qos'), ('sio'), ('acc_pmu'), ('chip_trans'), ('inter_soc'), ('low_power'),
  ('block_log'), ('pmu'), ('block_pmu'), ('v6_pmu'), ('v6_block'), ('ts_step'), ('ts_memcpy'), ('ts_task_type'), ('ts_flip'),
  ('ts_block_num'), ('freq'), ('npu_mem'), ('npu_module_mem'), ('qos'), ('ub'), ('soc_pmu'),
  ('hwts_block'), ('fusion_log'), ('aiv_pmu'), ('aicpu_node'), ('data_queue'), ('aicpu_model'), ('aicpu_mi'), ('aicpu_other'),
  ('comm_turn'), ('compute_turn'), ('device_op_info'), ('aicpu_flip'), ('device_end'), ('device_step'), ('mc2_comm_info'), ('expand_stream_spec'), ('capture_op_info'),
  ('cpu_sample'), ('memory_sample'), ('process_sample'), ('thread_name'), ('host_operator'), ('host_cpu'), ('host_memory'), ('host_network'), ('netdev_stats');
