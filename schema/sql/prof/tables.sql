-- The tables of PROF jobs; docs/SCHEMA.md explains them. Hashes are 64 bits kept as signed numbers.
-- Times are ns of the host's monotonic clock; meta has what to add for the time of day.

-- One row for each task: what the device, the host and the counters say of it. A task that the
-- device did not run has no start_ns; one that the host did not launch has no launch_ns.
CREATE TABLE task(
  id INTEGER PRIMARY KEY,      -- in order of device and start
  device_id INTEGER, stream_id INTEGER, task_id INTEGER, batch_id INTEGER, context_id INTEGER,
  start_ns INTEGER, dur_ns INTEGER,
  wait_ns INTEGER, before_ns INTEGER, -- of an operator: since the end of the operator before; the start of that
  device_type INTEGER,         -- task_kind has its name; from 256 on subtask_kind
  thread_id INTEGER, launch_ns INTEGER, connection_id INTEGER, model_id INTEGER,
  is_op INTEGER,               -- 1: an operator, a row of op_summary; 2: one that op_summary leaves out; else NULL
  has_parts INTEGER,           -- 1: its sub-tasks ran; else NULL
  key_id INTEGER,              -- its first run with the same numbers, where that is another
  host_type INTEGER, kernel_name INTEGER,                -- hashes
  op_name INTEGER, op_type INTEGER,                      -- hashes
  op_state INTEGER,            -- 0 static, 1 dynamic
  node_type INTEGER, block_num INTEGER, mix_num INTEGER, op_flag INTEGER,
  tensor_id INTEGER,
  frequency_mhz INTEGER,       -- of the core when the task started
  aic_us REAL, aiv_us REAL,    -- its cycles as time, spread over its blocks
  aic_cycles INTEGER, aic_pmu0 INTEGER, aic_pmu1 INTEGER, aic_pmu2 INTEGER, aic_pmu3 INTEGER, aic_pmu4 INTEGER,
  aic_pmu5 INTEGER, aic_pmu6 INTEGER, aic_pmu7 INTEGER, aic_pmu8 INTEGER, aic_pmu9 INTEGER,
  aiv_cycles INTEGER, aiv_pmu0 INTEGER, aiv_pmu1 INTEGER, aiv_pmu2 INTEGER, aiv_pmu3 INTEGER, aiv_pmu4 INTEGER,
  aiv_pmu5 INTEGER, aiv_pmu6 INTEGER, aiv_pmu7 INTEGER, aiv_pmu8 INTEGER, aiv_pmu9 INTEGER
);

-- Names by hash, and of types by level.
CREATE TABLE name(hash INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE type_name(level INTEGER, type INTEGER, name TEXT NOT NULL, PRIMARY KEY(level, type)) WITHOUT ROWID;

-- What calls of a level and a type are called: id is level << 32 | type. item: what reports print as its id.
CREATE TABLE call_kind(
  id INTEGER PRIMARY KEY, level TEXT, name TEXT, title TEXT, mode TEXT, item TEXT,
  count INTEGER, total_ns INTEGER, shortest_ns INTEGER, longest_ns INTEGER, squares REAL -- of all that do not end before they start
);

-- Threads that called, and streams that ran tasks, in the order of their first.
CREATE TABLE thread(thread_id INTEGER);
CREATE TABLE stream(device_id INTEGER, stream_id INTEGER);

-- The tensors of an operator as reports print them: several are joined with ';'. One row for each that differs.
CREATE TABLE tensor(
  id INTEGER PRIMARY KEY, input_shapes TEXT, input_types TEXT, input_formats TEXT, output_shapes TEXT, output_types TEXT,
  output_formats TEXT
);

-- Iterations of models; index_id is the recorded number, iteration counts those of the model. A first one has no before_ns.
-- data_ns: the end of the last iteration of the device before fp_ns.
CREATE TABLE step(
  device_id INTEGER, model_id INTEGER, index_id INTEGER, iteration INTEGER, fp_ns INTEGER, bp_ns INTEGER, end_ns INTEGER,
  before_ns INTEGER, start_ns INTEGER, data_ns INTEGER
);

-- Changes of the core frequency, in order of time.
CREATE TABLE core_frequency(device_id INTEGER, time_ns INTEGER, mhz INTEGER);

-- The counters that the device was told to count: position 0..9 of task.aic_pmuN or aiv_pmuN.
CREATE TABLE counter(device_id INTEGER, core TEXT, position INTEGER, event INTEGER, PRIMARY KEY(device_id, core, position)) WITHOUT ROWID;

-- What the chips of this generation call things.
CREATE TABLE level(level INTEGER PRIMARY KEY, name TEXT NOT NULL, track TEXT NOT NULL, shown TEXT NOT NULL, number INTEGER); -- shown, number: in exports
CREATE TABLE task_kind(kind INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE subtask_kind(kind INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE host_word(
  name TEXT PRIMARY KEY, in_node INTEGER, alone INTEGER, node_kind INTEGER, busy INTEGER, contexts INTEGER, by_context INTEGER, copies INTEGER
) WITHOUT ROWID;
CREATE TABLE host_kind(kind INTEGER PRIMARY KEY, name TEXT NOT NULL); -- the values of task.host_type
CREATE TABLE node_kind(kind INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE data_type(kind INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE data_format(kind INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE acl_mode(category INTEGER PRIMARY KEY, name TEXT NOT NULL);

-- All calls, in order of their start; the number of a row connects it with what it launched.
CREATE TABLE api(
  connection_id INTEGER PRIMARY KEY, level INTEGER, type INTEGER, thread_id INTEGER, item_id INTEGER, start_ns INTEGER,
  dur_ns INTEGER
);

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
  op_type INTEGER, block_num INTEGER, mix_num INTEGER, op_flag INTEGER, aging INTEGER, time_ns INTEGER -- aging: NULL for static shapes
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
  level INTEGER, type INTEGER, thread_id INTEGER, data_len INTEGER, model_name INTEGER, graph_id INTEGER,
  time_ns INTEGER
);
CREATE INDEX graph_by_time ON graph_id_map(time_ns);
CREATE INDEX graph_by_id ON graph_id_map(graph_id);

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
  op_flag INTEGER, tensor_num INTEGER, tensors BLOB, aging INTEGER, time_ns INTEGER -- aging: NULL for static shapes
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
  magic INTEGER, port_id INTEGER, stamp INTEGER, counters BLOB
);

CREATE TABLE soc_pmu(
  task_type INTEGER, stream_id INTEGER, task_id INTEGER, data_type INTEGER, event0 INTEGER, event1 INTEGER,
  event2 INTEGER, event3 INTEGER, event4 INTEGER, event5 INTEGER, event6 INTEGER, event7 INTEGER
);

-- The attributes of the node of a call, as a hash.
CREATE TABLE node_attr(connection_id INTEGER PRIMARY KEY, attr INTEGER);

-- Collective operations that ran; without start_ns none of their steps is of the master stream. group_name is what the host says of
-- the operation, step_group what it says of the steps.
CREATE TABLE comm_op(
  id INTEGER PRIMARY KEY, device_id INTEGER, connection_id INTEGER, name TEXT, op_type INTEGER, start_ns INTEGER, end_ns INTEGER,
  step_group INTEGER, group_name INTEGER, relay INTEGER, retry INTEGER, data_type INTEGER, alg_type INTEGER, count INTEGER, rank_size INTEGER,
  model_id INTEGER, on_aicpu INTEGER DEFAULT 0
);
-- Their steps, by the id of task; info_row is the row of hccl_info that describes the step, bandwidth is in bytes a ns. What the AI CPU launched
-- is on_aicpu: such steps may be of an operation of the host.
CREATE TABLE comm_task(id INTEGER PRIMARY KEY, op_id INTEGER, info_row INTEGER, is_master INTEGER, connection_id INTEGER, bandwidth REAL,
  on_aicpu INTEGER DEFAULT 0);
-- Tracks of the trace: that of a group's operations, followed by those of its planes.
CREATE TABLE comm_track(device_id INTEGER, step_group INTEGER, track INTEGER, on_aicpu INTEGER DEFAULT 0);
-- What steps moved or waited for, by the id of task: 1 copied to another rank, 2 within the device, 3 sent payloads, 4 waited, 5 waited before
-- anything was copied or sent.
CREATE TABLE comm_transfer(id INTEGER, what INTEGER, size INTEGER, ns INTEGER, PRIMARY KEY(id, what)) WITHOUT ROWID;
-- Types of operations in the order of the statistic of operations that took equally long.
CREATE TABLE comm_type(device_id INTEGER, op_type INTEGER, place INTEGER);
-- Calls of the level of communication, by their item.
CREATE TABLE item_call(item_id INTEGER, count INTEGER, total_ns INTEGER, shortest_ns INTEGER, longest_ns INTEGER, squares REAL);
-- What devices do in stretches of time: compute (kind 0); of those that communicate also communicate (1), do that alone (2), or
-- are free (3). Where free_ns is given, the device was free for so long before; 0 for its first stretch.
CREATE TABLE overlap(device_id INTEGER, kind INTEGER, start_ns INTEGER, end_ns INTEGER, free_ns INTEGER);
CREATE TABLE hccl_kind(what TEXT, kind INTEGER, name TEXT NOT NULL, PRIMARY KEY(what, kind)) WITHOUT ROWID;

-- The model of the call in which a row of fusion_op_info was recorded.
CREATE TABLE fusion_model(row INTEGER PRIMARY KEY, model_id INTEGER);

-- What the control files of a device say: its chip, which accesses to its last cache were counted, what is counted of its memory, and
-- the names of its classes of traffic and the events of its L2 cache, joined with ','; and what to add to its own clock for the host's;
-- frequency and number of its cores, the groups of their
-- metrics, whether they were sampled, and whether the driver is of before batches of tasks.
CREATE TABLE setting(
  device_id INTEGER PRIMARY KEY, chip INTEGER, llc TEXT, hbm_events TEXT, qos_events TEXT, l2_events TEXT, ahead_ns INTEGER,
  mhz INTEGER, cores INTEGER, aiv_cores INTEGER, aic_metrics TEXT, aiv_metrics TEXT,
  sampled INTEGER, old_driver INTEGER
);

-- What differs by chip in samples: the width of DDR, the number of last level caches that are shown, and whether PCIe is the last sample.
CREATE TABLE sample_chip(chip INTEGER PRIMARY KEY, ddr_bits INTEGER, llc_ids INTEGER, pcie_last INTEGER);
-- The place of an event of the last level cache by what is counted.
CREATE TABLE llc_event(mode TEXT, event INTEGER, place INTEGER, PRIMARY KEY(mode, event)) WITHOUT ROWID;
-- The dies of a chip whose traffic is shown.
CREATE TABLE sample_die(chip INTEGER, die_id INTEGER, name TEXT, PRIMARY KEY(chip, die_id)) WITHOUT ROWID;
CREATE TABLE module(module INTEGER PRIMARY KEY, name TEXT NOT NULL);

-- Samples as MB/s, in the order in which they are shown.
CREATE TABLE hbm_rate(device_id INTEGER, hbm_id INTEGER, type INTEGER, time_ns INTEGER, mbs REAL);
CREATE TABLE ddr_rate(device_id INTEGER, time_ns INTEGER, read_mbs REAL, write_mbs REAL);
CREATE TABLE llc_rate(device_id INTEGER, l3t_id INTEGER, time_ns INTEGER, hit_rate REAL, mbs REAL);
CREATE TABLE sio_rate(
  device_id INTEGER, die_id INTEGER, time_ns INTEGER, req_rx REAL, rsp_rx REAL, snp_rx REAL, dat_rx REAL, req_tx REAL, rsp_tx REAL, snp_tx REAL,
  dat_tx REAL
);
-- Hit and victim rates of the L2 cache by task, and the events of which they are made by chip.
CREATE TABLE l2_task(device_id INTEGER, stream_id INTEGER, task_id INTEGER, hit_rate REAL, victim_rate REAL);
CREATE TABLE l2_event(chip INTEGER, what TEXT, event INTEGER, factor INTEGER, PRIMARY KEY(chip, what, event)) WITHOUT ROWID;
-- What network cards, RDMA over Ethernet and links between cards carry; shares of the bandwidth, and of the packets.
CREATE TABLE port_rate(
  what TEXT, device_id INTEGER, func_id INTEGER, time_ns INTEGER, rx_share REAL, rx_packets REAL, rx_errors REAL, rx_dropped REAL, tx_share REAL,
  tx_packets REAL, tx_errors REAL, tx_dropped REAL
);
CREATE TABLE hccs_rate(device_id INTEGER, time_ns INTEGER, tx_mbs REAL, rx_mbs REAL);
-- What the program uses of the host, in per cent, up to the sample after time_ns; cpu is a number or Avg.
CREATE TABLE host_cpu_use(time_ns INTEGER, cpu TEXT, use REAL);
CREATE TABLE host_memory_use(time_ns INTEGER, use REAL);
CREATE TABLE host_network_use(time_ns INTEGER, use REAL, kbs REAL);
CREATE TABLE qos_sample(device_id INTEGER, die_id INTEGER, time_ns INTEGER, name TEXT, mbs INTEGER);

-- Tasks that are connected with their call though they are no operators, and calls that are though they are of no node.
CREATE TABLE arrow(id INTEGER PRIMARY KEY);
CREATE TABLE arrow_call(connection_id INTEGER PRIMARY KEY);

CREATE TABLE copy_kind(kind INTEGER PRIMARY KEY, name TEXT NOT NULL);
-- Marks that a stream carries to devices, whose texts may come in parts, and when streams came to them.
CREATE TABLE stream_mark(
  mark_id INTEGER PRIMARY KEY, process_id INTEGER, tid INTEGER, event_type INTEGER, message TEXT, domain TEXT, start_ns INTEGER, dur_ns INTEGER
);
CREATE TABLE device_mark(mark_id INTEGER, device_id INTEGER, stream_id INTEGER, task_id INTEGER, model_id INTEGER, start_ns INTEGER, dur_ns INTEGER);

-- Lines of samples of the host. A line with a time begins a sample.
CREATE TABLE host_cpu(stamp_ns INTEGER, line TEXT);
CREATE TABLE host_memory(stamp_ns INTEGER, size INTEGER, resident INTEGER);
CREATE TABLE host_network(stamp_ns INTEGER, card TEXT, rx_bytes INTEGER, tx_bytes INTEGER);

-- Copies among the tasks, by the id of task; direction as of memcpy_info, 65535 where that is not known.
CREATE TABLE task_copy(id INTEGER PRIMARY KEY, bytes INTEGER, direction INTEGER);
-- Memory that operators got, with its release; either may be missing. Rows are those of task_memory_info.
CREATE TABLE op_memory(allocated_row INTEGER, released_row INTEGER);

-- Chips 1 to 4: what their log has besides tasks, and the counters of their vector cores.
CREATE TABLE hwts_block(
  type INTEGER, task_type INTEGER, block_id INTEGER, task_id INTEGER, stream_id INTEGER, time_ns INTEGER
);

CREATE TABLE aiv_pmu(
  task_id INTEGER, total_cycles INTEGER, pmu0 INTEGER, pmu1 INTEGER, pmu2 INTEGER, pmu3 INTEGER, pmu4 INTEGER,
  pmu5 INTEGER, pmu6 INTEGER, pmu7 INTEGER, stream_id INTEGER
);

-- The AI CPU.
CREATE TABLE aicpu_node(
  stream_id INTEGER, task_id INTEGER, run_start_us INTEGER, compute_start_us INTEGER, memcpy_start_us INTEGER,
  memcpy_end_us INTEGER, run_end_us INTEGER, thread_id INTEGER, device INTEGER, schedule_tick INTEGER,
  before_run_tick INTEGER, kernel_type INTEGER, dispatch_us INTEGER, total_us INTEGER, ffts_thread INTEGER,
  version INTEGER, start_ns INTEGER, dur_ns INTEGER, total_ns INTEGER
);

CREATE TABLE data_queue(action TEXT, source TEXT, queue_index INTEGER, queue_size INTEGER, time_ns INTEGER);

CREATE TABLE aicpu_model(index_id INTEGER, model_id INTEGER, tag_id INTEGER, event_id INTEGER, time_ns INTEGER);

CREATE TABLE aicpu_mi(node_tag INTEGER, queue_size INTEGER, start_us INTEGER, end_us INTEGER);

-- Collectives that the AI CPU runs: turns of its server and of computing, operations, when its task numbers begin again, first and last
-- steps, and steps, two a record.
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

-- Samples of the host, taken by msprof itself.
CREATE TABLE cpu_sample(
  time_ns INTEGER, cpu TEXT, user_us INTEGER, system_us INTEGER, iowait_us INTEGER, irq_us INTEGER, softirq_us INTEGER,
  idle_us INTEGER
);

CREATE TABLE memory_sample(
  time_ns INTEGER, total_kb INTEGER, free_kb INTEGER, available_kb INTEGER, buffers_kb INTEGER, cached_kb INTEGER, shared_kb INTEGER
);

CREATE TABLE thread_name(tid INTEGER, name TEXT);
CREATE TABLE host_operator(thread_id INTEGER, op_name INTEGER, op_type INTEGER, start_ns INTEGER, dur_ns INTEGER); -- op_type 0: it has none

CREATE TABLE process_sample(
  time_ns INTEGER, pid INTEGER, user_us INTEGER, system_us INTEGER, size_kb INTEGER, resident_kb INTEGER, shared_kb INTEGER, name TEXT
);

INSERT INTO record_table VALUES
  ('api'), ('event'), ('task_track'), ('node_basic_info'), ('node_attr_info'), ('memcpy_info'), ('hccl_op_info'),
  ('capture_stream_info'), ('tensor_info'), ('context_id_info'), ('graph_id_map'), ('fusion_op_info'),
  ('multi_thread'), ('task_memory_info'), ('static_op_mem'), ('hccl_info'), ('msproftx'), ('hash_dic'), ('type_info_dic'),
  ('stars_log'), ('v6_other'), ('ffts_log'), ('stars_qos'), ('sio'), ('acc_pmu'), ('chip_trans'), ('inter_soc'), ('low_power'),
  ('block_log'), ('pmu'), ('block_pmu'), ('v6_pmu'), ('ts_step'), ('ts_memcpy'), ('ts_task_type'), ('ts_flip'),
  ('ts_block_num'), ('freq'), ('npu_mem'), ('npu_module_mem'), ('qos'), ('ub'), ('soc_pmu'),
  ('hwts_block'), ('fusion_log'), ('aiv_pmu'), ('aicpu_node'), ('data_queue'), ('aicpu_model'), ('aicpu_mi'), ('aicpu_other'),
  ('comm_turn'), ('compute_turn'), ('device_op_info'), ('aicpu_flip'), ('device_end'), ('device_step'), ('mc2_comm_info'), ('expand_stream_spec'), ('capture_op_info'),
  ('cpu_sample'), ('memory_sample'), ('process_sample'), ('thread_name'), ('host_operator'), ('host_cpu'), ('host_memory'), ('host_network'), ('netdev_stats');

-- Words that databases of earlier schemas lack: they get them from here.
CREATE TABLE chip(chip INTEGER PRIMARY KEY, name TEXT, metrics TEXT, stars INTEGER, old INTEGER, curve INTEGER);
CREATE TABLE formula(kinds TEXT, metrics TEXT, place INTEGER, name TEXT, what TEXT, event INTEGER, weight REAL, per INTEGER);
CREATE TABLE core_metric(
  device_id INTEGER, core TEXT, kind TEXT, place INTEGER, name TEXT, what TEXT, event INTEGER, weight REAL, row INTEGER,
  position INTEGER, per_position INTEGER
);
CREATE TABLE unshown(core TEXT, name TEXT, PRIMARY KEY(core, name)) WITHOUT ROWID;
CREATE TABLE half_unit(name TEXT PRIMARY KEY) WITHOUT ROWID;
