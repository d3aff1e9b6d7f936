-- Tables of JOB directories since 2022. Record tables have the unchanged records.

-- Settings of the control files; the defaults of the chip for missing ones. A moment is (counter - device_counter) / counter_mhz * 1000 + host_ns, or,
-- in ns of the device, ns - device_ns + host_ns.
CREATE TABLE setting(
  device_id INTEGER PRIMARY KEY,
  chip INTEGER,                -- the platform: see the table chip
  counter_mhz REAL NOT NULL,   -- of the clock of the device
  device_counter INTEGER NOT NULL, host_ns INTEGER NOT NULL, -- the clocks of device and host at one moment; 0 where one is missing
  aic_mhz REAL NOT NULL, aic_num INTEGER NOT NULL, -- frequency and number of the cores
  metrics TEXT,                -- the group of metrics that was recorded
  llc TEXT,                    -- which accesses to the last level cache were counted: read or write
  pid INTEGER,                 -- the process of traces
  device_ns INTEGER,           -- the clock of the device at host_ns; NULL without one of the two
  ctrl_cpu TEXT, ai_cpu TEXT,  -- numbers of processors, separated by commas
  stars INTEGER                -- whether the log is that of the scheduler "stars", which has the kernels of all cores
);

-- The events that the counters of a task count.
CREATE TABLE counter(
  device_id INTEGER,
  position INTEGER,            -- 0 is `pmu0` of aicore_pmu
  event INTEGER,               -- its number
  PRIMARY KEY(device_id, position)
) WITHOUT ROWID;

-- The same of vector cores, of which only samples have a report.
CREATE TABLE aiv_counter(
  device_id INTEGER,
  position INTEGER,            -- 0 is `pmu0` of aiv_sample
  event INTEGER,               -- its number
  PRIMARY KEY(device_id, position)
) WITHOUT ROWID;

-- Iterations of models in order of start. What ends before the first tag 0 of a model is no iteration.
CREATE TABLE step(
  id INTEGER PRIMARY KEY,      -- other tables name it step_id
  device_id INTEGER, model_id INTEGER,
  iteration INTEGER,           -- the number that is recorded
  start_counter INTEGER, end_counter INTEGER,
  fp_counter INTEGER, bp_counter INTEGER, -- the begin of forward propagation, and the end of back propagation; NULL outside of training
  before_counter INTEGER       -- the end of the previous iteration, or −1
);
CREATE INDEX step_by_end ON step(device_id, model_id, end_counter);
CREATE INDEX step_by_device ON step(device_id, end_counter);

-- All-reduce operations of training: pairs of tags from 10000 upwards.
CREATE TABLE all_reduce(
  device_id INTEGER,
  step_id INTEGER, number INTEGER, -- the iteration, and the number of the operation in it, counted from 1
  start_counter INTEGER, end_counter INTEGER
);

-- The framework's description of a task, with hashes replaced by names; a hash without a name keeps its digits.
CREATE TABLE op(
  id INTEGER PRIMARY KEY,      -- other tables name it op_id
  device_id INTEGER, model_id INTEGER,
  iteration INTEGER,           -- 0 when the shape is static
  stream_id INTEGER, task_id INTEGER, batch_id INTEGER,
  task_type TEXT,              -- AI_CORE, AI_CPU, AI_VECTOR_CORE, INVALID, or a number
  name TEXT, type TEXT,        -- of the operator
  state TEXT,                  -- static or dynamic: its shape
  block_dim INTEGER,           -- its blocks
  time_ns INTEGER,
  type_hash TEXT               -- the type as recorded, if it is a hash
);
CREATE INDEX op_by_task ON op(device_id, stream_id, task_id, iteration, batch_id, model_id);
CREATE INDEX op_by_time ON op(device_id, time_ns);

-- The first operator of a stream, task and turn in order of time.
CREATE TABLE op_turn(
  device_id INTEGER, stream_id INTEGER, task_id INTEGER,
  turn INTEGER,                -- begins when the task does not exceed the one before it; those that the tasks of an iteration may have
  op_id INTEGER,               -- the row of op
  PRIMARY KEY(device_id, stream_id, task_id, turn)
) WITHOUT ROWID;

-- The last operator of a stream, task, batch and type, of jobs with operators of dynamic shape.
CREATE TABLE op_last(
  device_id INTEGER, stream_id INTEGER, task_id INTEGER, batch_id INTEGER,
  task_type TEXT,              -- as in op
  op_id INTEGER,               -- the row of op
  PRIMARY KEY(device_id, stream_id, task_id, batch_id, task_type)
) WITHOUT ROWID;

-- Shapes, types and formats of the tensors of an operator, as texts.
CREATE TABLE op_tensor(
  op_id INTEGER PRIMARY KEY,   -- the row of op
  -- several tensors are separated by ';'; shapes are in quotes, like in the reference
  input_shapes TEXT, input_types TEXT, input_formats TEXT, output_shapes TEXT, output_types TEXT, output_formats TEXT
);

-- Device tasks in order of start. An end closes the latest open start; the rest is in unpaired.
CREATE TABLE task(
  id INTEGER PRIMARY KEY,      -- in order of start
  device_id INTEGER, stream_id INTEGER, task_id INTEGER, batch_id INTEGER,
  core INTEGER,                -- where it ran
  start_counter INTEGER, end_counter INTEGER, start_ns INTEGER, dur_ns INTEGER,
  step_id INTEGER,             -- the row of step: the iteration in which the task ends; may be NULL
  op_id INTEGER, pmu_row INTEGER, -- its rows of op and of aicore_pmu; may be NULL
  -- 0 for a task of the scheduler's log, NULL when it is in no export (chip.exports); 1 for what the AI CPU itself recorded of a task, which
  -- the view tasks leaves out
  unit INTEGER,
  node_row INTEGER             -- of unit 1: its row of aicpu_node
);
CREATE INDEX task_by_step ON task(step_id, device_id);

-- The chips of this generation.
CREATE TABLE chip(
  platform INTEGER PRIMARY KEY, name TEXT NOT NULL, -- the number in the info file, and what it is called
  counter_mhz REAL NOT NULL, aic_mhz REAL NOT NULL, -- of the clock and of the cores, when the info file has none
  exports TEXT NOT NULL        -- which tasks of the scheduler's log are in exports: all, those of described operators of the AI core, or none
);
INSERT INTO chip VALUES
  (0, 'mini', 19.2, 680, 'none'), (1, 'cloud', 100, 800, 'all'), (2, 'mdc', 38.4, 960, 'described'),
  (3, 'lhisi', 24, 300, 'described'), (4, 'dc', 38.4, 1150, 'described'), (5, 'v4', 100, 800, 'described');
-- Types of data.
CREATE TABLE data_type(
  kind INTEGER PRIMARY KEY, name TEXT NOT NULL -- the number in records, and its word
);
INSERT INTO data_type VALUES
  (0, 'FLOAT'), (1, 'FLOAT16'), (2, 'INT8'), (3, 'INT32'), (4, 'UINT8'), (6, 'INT16'), (7, 'UINT16'),
  (8, 'UINT32'), (9, 'INT64'), (10, 'UINT64'), (11, 'DOUBLE'), (12, 'BOOL'), (13, 'STRING'), (14, 'DUAL_SUB_INT8'),
  (15, 'DUAL_SUB_UINT8'), (16, 'COMPLEX64'), (17, 'COMPLEX128'), (18, 'QINT8'), (19, 'QINT16'), (20, 'QINT32'),
  (21, 'QUINT8'), (22, 'QUINT16'), (23, 'RESOURCE'), (24, 'STRING_REF'), (25, 'DUAL'), (26, 'DT_VARIANT'),
  (27, 'DT_BF16'), (28, 'UNDEFINED'), (29, 'DT_INT4'), (30, 'DT_UINT1'), (31, 'DT_INT2'), (32, 'DT_UINT2'),
  (33, 'DT_MAX');
-- Formats of tensors.
CREATE TABLE data_format(
  kind INTEGER PRIMARY KEY, name TEXT NOT NULL -- the number in records, and its word
);
INSERT INTO data_format VALUES
  (0, 'NCHW'), (1, 'NHWC'), (2, 'FORMAT_ND'), (3, 'NC1HWC0'), (4, 'FRACTAL_Z'), (5, 'NC1C0HWPAD'), (6, 'NHWC1C0'),
  (7, 'FSR_NCHW'), (8, 'FRACTAL_DECONV'), (9, 'C1HWNC0'), (10, 'FRACTAL_DECONV_TRANSPOSE'),
  (11, 'FRACTAL_DECONV_SP_STRIDE_TRANS'), (12, 'NC1HWC0_C04'), (13, 'FRACTAL_Z_C04'), (14, 'CHWN'),
  (15, 'FRACTAL_DECONV_SP_STRIDE8_TRANS'), (16, 'HWCN'), (17, 'NC1KHKWHWC0'), (18, 'BN_WEIGHT'),
  (19, 'FILTER_HWCK'), (20, 'HASHTABLE_LOOKUP_LOOKUPS'), (21, 'HASHTABLE_LOOKUP_KEYS'),
  (22, 'HASHTABLE_LOOKUP_VALUE'), (23, 'HASHTABLE_LOOKUP_OUTPUT'), (24, 'HASHTABLE_LOOKUP_HITS'),
  (25, 'C1HWNCoC0'), (26, 'FORMAT_MD'), (27, 'NDHWC'), (28, 'FRACTAL_ZZ'), (29, 'FRACTAL_NZ'), (30, 'NCDHW'),
  (31, 'DHWCN'), (32, 'NDC1HWC0'), (33, 'FRACTAL_Z_3D'), (34, 'FORMAT_CN'), (35, 'FORMAT_NC'), (36, 'DHWNC'),
  (37, 'FRACTAL_Z_3D_TRANSPOSE'), (38, 'FRACTAL_ZN_LSTM'), (39, 'FRACTAL_Z_G'), (40, 'RESERVED'), (41, 'ALL'),
  (42, 'NULL'), (43, 'ND_RNN_BIAS'), (44, 'FRACTAL_ZN_RNN'), (45, 'END'), (255, 'MAX');

-- The events for which reports have a formula (`schema/reports/part/ascend2022_operators.sql`).
CREATE TABLE metric_event(
  metrics TEXT, event INTEGER, -- the group that counts it, and its number
  PRIMARY KEY(metrics, event)
) WITHOUT ROWID;
INSERT INTO metric_event VALUES
  ('ArithmeticUtilization', 0x49), ('ArithmeticUtilization', 0x4a), ('ArithmeticUtilization', 0x4b),
  ('ArithmeticUtilization', 0x4c), ('ArithmeticUtilization', 0x4d), ('ArithmeticUtilization', 0x4e),
  ('ArithmeticUtilization', 0x4f), ('PipeUtilization', 0x08), ('PipeUtilization', 0x09), ('PipeUtilization', 0x0a),
  ('PipeUtilization', 0x0b), ('PipeUtilization', 0x0c), ('PipeUtilization', 0x0d), ('PipeUtilization', 0x54),
  ('PipeUtilization', 0x55), ('Memory', 0x0f), ('Memory', 0x10), ('Memory', 0x12), ('Memory', 0x13),
  ('Memory', 0x15), ('Memory', 0x16), ('Memory', 0x31), ('Memory', 0x32), ('MemoryL0', 0x1b), ('MemoryL0', 0x1c),
  ('MemoryL0', 0x21), ('MemoryL0', 0x22), ('MemoryL0', 0x27), ('MemoryL0', 0x28), ('MemoryL0', 0x29),
  ('MemoryL0', 0x2a), ('ResourceConflictRatio', 0x64), ('ResourceConflictRatio', 0x65),
  ('ResourceConflictRatio', 0x66), ('MemoryUB', 0x10), ('MemoryUB', 0x13), ('MemoryUB', 0x37), ('MemoryUB', 0x38),
  ('MemoryUB', 0x3d), ('MemoryUB', 0x3e), ('MemoryUB', 0x43), ('MemoryUB', 0x44);

-- The events of the last level cache by what is counted.
CREATE TABLE llc_event(
  mode TEXT, event INTEGER,    -- read or write, and the number of the event
  place INTEGER,               -- hits are 2, 3, 5 and 7, of the accesses 4 and 6; lines are 0 and 1
  PRIMARY KEY(mode, event)
) WITHOUT ROWID;
INSERT INTO llc_event VALUES
  ('read', 0x00, 0), ('read', 0x01, 1), ('read', 0x02, 2), ('read', 0x13, 3), ('read', 0x20, 4), ('read', 0x22, 5),
  ('read', 0x34, 6), ('read', 0x36, 7), ('write', 0x00, 0), ('write', 0x01, 1), ('write', 0x03, 2), ('write', 0x14, 3),
  ('write', 0x21, 4), ('write', 0x23, 5), ('write', 0x35, 6), ('write', 0x37, 7);

-- The events of the L2 cache of a task.
CREATE TABLE l2_event(
  chip INTEGER,                -- the platform
  place INTEGER, event INTEGER, -- 0 and 1 are requests, 2 hits, 3 victims; and the number of the event
  PRIMARY KEY(chip, place)
) WITHOUT ROWID;
INSERT INTO l2_event VALUES
  (1, 0, 0x59), (1, 2, 0x5b), (1, 3, 0x5c), (2, 0, 0x78), (2, 1, 0x79), (2, 2, 0x6a), (2, 3, 0x71),
  (3, 0, 0x78), (3, 1, 0x79), (3, 2, 0x6a), (3, 3, 0x71), (4, 0, 0x78), (4, 1, 0x79), (4, 2, 0x6a), (4, 3, 0x71);
-- The events that l2_cache counts.
CREATE TABLE l2_counter(
  device_id INTEGER,
  position INTEGER, event INTEGER, -- 0 is `event0` of l2_cache; and the number of the event
  PRIMARY KEY(device_id, position)
) WITHOUT ROWID;

-- The tracks of traces with one table of records each.
CREATE TABLE track(
  place INTEGER PRIMARY KEY,   -- its number; those below 7 are of the host
  process TEXT NOT NULL, file TEXT NOT NULL, -- the names of the track, and of its file
  target TEXT NOT NULL         -- the table
);
INSERT INTO track VALUES
  (0, 'MsprofTx', 'msprof_tx', 'msproftx'), (4, 'GE', 'ge', 'model_time'), (5, 'GeOPExecute', 'ge_op_execute', 'host_sch'),
  (6, 'Runtime', 'runtime_api', 'runtime_api'), (8, 'HBM', 'hbm', 'hbm'), (9, 'DDR', 'ddr', 'ddr'), (10, 'PCIe', 'pcie', 'pcie'),
  (11, 'HCCS', 'hccs', 'hccs'), (12, 'NIC', 'nic', 'nic'), (13, 'RoCE', 'roce', 'roce'), (16, 'LLC', 'llc_read_write', 'llc');

-- The metrics of op_summary. The values stand in the order of the events.
CREATE TABLE metric_title(
  metrics TEXT, place INTEGER, title TEXT, -- the group, the reference's order, and the column
  PRIMARY KEY(metrics, place)
) WITHOUT ROWID;
INSERT INTO metric_title VALUES
  ('ArithmeticUtilization', 1, 'mac_fp16_ratio'), ('ArithmeticUtilization', 2, 'mac_int8_ratio'),
  ('ArithmeticUtilization', 3, 'vec_fp32_ratio'), ('ArithmeticUtilization', 4, 'vec_fp16_ratio'),
  ('ArithmeticUtilization', 5, 'vec_int32_ratio'), ('ArithmeticUtilization', 6, 'vec_misc_ratio'),
  ('ArithmeticUtilization', 7, 'cube_fops'), ('ArithmeticUtilization', 8, 'vector_fops'),
  ('PipeUtilization', 1, 'vec_ratio'), ('PipeUtilization', 2, 'mac_ratio'), ('PipeUtilization', 3, 'scalar_ratio'),
  ('PipeUtilization', 4, 'mte1_ratio'), ('PipeUtilization', 5, 'mte2_ratio'), ('PipeUtilization', 6, 'mte3_ratio'),
  ('PipeUtilization', 7, 'icache_miss_rate'),
  ('Memory', 1, 'ub_read_bw(GB/s)'), ('Memory', 2, 'ub_write_bw(GB/s)'), ('Memory', 3, 'l1_read_bw(GB/s)'),
  ('Memory', 4, 'l1_write_bw(GB/s)'), ('Memory', 5, 'main_mem_read_bw(GB/s)'), ('Memory', 6, 'main_mem_write_bw(GB/s)'),
  ('MemoryL0', 1, 'l0a_read_bw(GB/s)'), ('MemoryL0', 2, 'l0a_write_bw(GB/s)'), ('MemoryL0', 3, 'l0b_read_bw(GB/s)'),
  ('MemoryL0', 4, 'l0b_write_bw(GB/s)'), ('MemoryL0', 5, 'l0c_read_bw(GB/s)'), ('MemoryL0', 6, 'l0c_write_bw(GB/s)'),
  ('MemoryL0', 7, 'l0c_read_bw_cube(GB/s)'), ('MemoryL0', 8, 'l0c_write_bw_cube(GB/s)'),
  ('ResourceConflictRatio', 1, 'vec_bankgroup_cflt_ratio'), ('ResourceConflictRatio', 2, 'vec_bank_cflt_ratio'),
  ('ResourceConflictRatio', 3, 'vec_resc_cflt_ratio'),
  ('MemoryUB', 1, 'ub_read_bw_vector(GB/s)'), ('MemoryUB', 2, 'ub_write_bw_vector(GB/s)'),
  ('MemoryUB', 3, 'ub_read_bw_scalar(GB/s)'), ('MemoryUB', 4, 'ub_write_bw_scalar(GB/s)');

-- Records -----------------------------------------------------------

CREATE TABLE api_call(
  type INTEGER, pid INTEGER, tid INTEGER, name TEXT, start_ns INTEGER, dur_ns INTEGER
);

CREATE TABLE task_desc(
  task_type INTEGER, op_name TEXT, op_type TEXT, iteration INTEGER, shape_type INTEGER, block_dim INTEGER,
  model_id INTEGER, stream_id INTEGER, task_id INTEGER, batch_id INTEGER, thread_id INTEGER, context_id INTEGER,
  time_ns INTEGER
);

CREATE TABLE tensor(
  model_id INTEGER, iteration INTEGER, stream_id INTEGER, task_id INTEGER, batch_id INTEGER, tensor_num INTEGER,
  t1_kind INTEGER, t1_format INTEGER, t1_type INTEGER, t1_d1 INTEGER, t1_d2 INTEGER, t1_d3 INTEGER, t1_d4 INTEGER,
  t1_d5 INTEGER, t1_d6 INTEGER, t1_d7 INTEGER, t1_d8 INTEGER, t2_kind INTEGER, t2_format INTEGER, t2_type INTEGER,
  t2_d1 INTEGER, t2_d2 INTEGER, t2_d3 INTEGER, t2_d4 INTEGER, t2_d5 INTEGER, t2_d6 INTEGER, t2_d7 INTEGER,
  t2_d8 INTEGER, t3_kind INTEGER, t3_format INTEGER, t3_type INTEGER, t3_d1 INTEGER, t3_d2 INTEGER, t3_d3 INTEGER,
  t3_d4 INTEGER, t3_d5 INTEGER, t3_d6 INTEGER, t3_d7 INTEGER, t3_d8 INTEGER, t4_kind INTEGER, t4_format INTEGER,
  t4_type INTEGER, t4_d1 INTEGER, t4_d2 INTEGER, t4_d3 INTEGER, t4_d4 INTEGER, t4_d5 INTEGER, t4_d6 INTEGER,
  t4_d7 INTEGER, t4_d8 INTEGER, t5_kind INTEGER, t5_format INTEGER, t5_type INTEGER, t5_d1 INTEGER, t5_d2 INTEGER,
  t5_d3 INTEGER, t5_d4 INTEGER, t5_d5 INTEGER, t5_d6 INTEGER, t5_d7 INTEGER, t5_d8 INTEGER, time_ns INTEGER
);

CREATE TABLE model_load(
  model_id INTEGER, name TEXT, start_ns INTEGER, dur_ns INTEGER
);
CREATE INDEX model_load_by_model ON model_load(model_id);

CREATE TABLE model_time(
  model_id INTEGER, name TEXT, request_id INTEGER, thread_id INTEGER, input_ns INTEGER, input_dur_ns INTEGER,
  infer_ns INTEGER, infer_dur_ns INTEGER, output_ns INTEGER, output_dur_ns INTEGER
);

CREATE TABLE fusion_op(
  model_id INTEGER, name TEXT, input_bytes INTEGER, output_bytes INTEGER, weight_bytes INTEGER,
  workspace_bytes INTEGER, total_bytes INTEGER, op_num INTEGER, op1 INTEGER, op2 INTEGER, op3 INTEGER, op4 INTEGER,
  op5 INTEGER, op6 INTEGER, op7 INTEGER, op8 INTEGER
);

CREATE TABLE step_info(
  model_id INTEGER, stream_id INTEGER, task_id INTEGER, batch_id INTEGER, iteration INTEGER, thread_id INTEGER,
  tag INTEGER, time_ns INTEGER
);

CREATE TABLE id_map(
  graph_id INTEGER, model_id INTEGER, session_id INTEGER, mode INTEGER, time_ns INTEGER
);

-- The operators that were fused into one.
CREATE TABLE fusion_member(
  row INTEGER, position INTEGER, -- the row of fusion_op, and the place there, counted from 0
  hash TEXT,                   -- in the notation of the dictionaries, without a sign
  PRIMARY KEY(row, position)
) WITHOUT ROWID;

-- The hashes of host_sch.
CREATE TABLE host_sch_hash(
  row INTEGER PRIMARY KEY,     -- the row of host_sch
  element TEXT, event TEXT     -- in the notation of the dictionaries, without a sign
);

CREATE TABLE host_sch(
  thread_id INTEGER, element INTEGER, event INTEGER, op_name INTEGER, start_ns INTEGER, dur_ns INTEGER
);

CREATE TABLE task_track(
  thread_id INTEGER, task_type TEXT, task_id INTEGER, batch_id INTEGER, stream_id INTEGER, time_ns INTEGER
);

CREATE TABLE runtime_api(
  thread_id INTEGER, data_size INTEGER, name TEXT, ret_code INTEGER, stream_id INTEGER, task_num INTEGER,
  task1_id INTEGER, task1_batch INTEGER, task2_id INTEGER, task2_batch INTEGER, task3_id INTEGER,
  task3_batch INTEGER, task4_id INTEGER, task4_batch INTEGER, task5_id INTEGER, task5_batch INTEGER,
  task6_id INTEGER, task6_batch INTEGER, task7_id INTEGER, task7_batch INTEGER, task8_id INTEGER,
  task8_batch INTEGER, task9_id INTEGER, task9_batch INTEGER, task10_id INTEGER, task10_batch INTEGER,
  direction INTEGER, start_ns INTEGER, dur_ns INTEGER
);

-- Marks and ranges of the application, in ns of the host. They are of no device.
CREATE TABLE msproftx(
  process_id INTEGER, thread_id INTEGER, category INTEGER, event_type INTEGER, payload_type INTEGER, payload_value INTEGER,
  message_type INTEGER, message TEXT, start_ns INTEGER, dur_ns INTEGER
);

CREATE TABLE hwts_event(
  type INTEGER, sequence INTEGER, core INTEGER, block INTEGER, task_id INTEGER, counter INTEGER, stream_id INTEGER,
  time_ns INTEGER
);

CREATE TABLE hwts_aiv_event(
  type INTEGER, sequence INTEGER, core INTEGER, block INTEGER, task_id INTEGER, counter INTEGER, stream_id INTEGER,
  time_ns INTEGER
);

CREATE TABLE aicore_pmu(
  sequence INTEGER, core INTEGER, block INTEGER, task_id INTEGER, total_cycles INTEGER, overflow INTEGER,
  pmu0 INTEGER, pmu1 INTEGER, pmu2 INTEGER, pmu3 INTEGER, pmu4 INTEGER, pmu5 INTEGER, pmu6 INTEGER, pmu7 INTEGER,
  stream_id INTEGER
);

-- Parts of tasks, and counters of blocks, of chips with the scheduler "stars"; no report has them.
CREATE TABLE ffts_log(
  type INTEGER, stream_id INTEGER, task_id INTEGER, counter INTEGER, subtask_type INTEGER, context_id INTEGER, ffts_type INTEGER,
  ffts_thread_id INTEGER, time_ns INTEGER
);

CREATE TABLE block_pmu(
  stream_id INTEGER, task_id INTEGER, subtask_type INTEGER, context_id INTEGER, ffts_type INTEGER, total_cycles INTEGER,
  pmu0 INTEGER, pmu1 INTEGER, pmu2 INTEGER, pmu3 INTEGER, pmu4 INTEGER, pmu5 INTEGER, pmu6 INTEGER, pmu7 INTEGER,
  start_ns INTEGER, dur_ns INTEGER
);

CREATE TABLE aiv_pmu(
  sequence INTEGER, core INTEGER, block INTEGER, task_id INTEGER, total_cycles INTEGER, overflow INTEGER,
  pmu0 INTEGER, pmu1 INTEGER, pmu2 INTEGER, pmu3 INTEGER, pmu4 INTEGER, pmu5 INTEGER, pmu6 INTEGER, pmu7 INTEGER,
  stream_id INTEGER
);

CREATE TABLE ts_step(
  counter INTEGER, index_id INTEGER, model_id INTEGER, stream_id INTEGER, task_id INTEGER, tag_id INTEGER,
  time_ns INTEGER
);

CREATE TABLE ts_memcpy(
  counter INTEGER, stream_id INTEGER, task_id INTEGER, state INTEGER, time_ns INTEGER
);

CREATE TABLE ts_task_type(
  counter INTEGER, stream_id INTEGER, task_id INTEGER, task_type INTEGER, state INTEGER, time_ns INTEGER
);

CREATE TABLE ts_flip(
  counter INTEGER, stream_id INTEGER, flip_num INTEGER, task_id INTEGER, time_ns INTEGER
);

CREATE TABLE ts_block_num(
  counter INTEGER, stream_id INTEGER, task_id INTEGER, block_num INTEGER, time_ns INTEGER
);

CREATE TABLE aicpu_node(
  stream_id INTEGER, task_id INTEGER, run_start_us INTEGER, start_tick INTEGER, compute_start_us INTEGER,
  memcpy_start_us INTEGER, memcpy_end_us INTEGER, run_end_us INTEGER, end_tick INTEGER, thread_id INTEGER, device INTEGER, submit_tick INTEGER,
  schedule_tick INTEGER, before_run_tick INTEGER, after_run_tick INTEGER, kernel_type INTEGER, dispatch_us INTEGER,
  total_us INTEGER, ffts_thread_id INTEGER, version INTEGER, start_ns INTEGER, dur_ns INTEGER
);

CREATE TABLE aicpu_model(
  stamp INTEGER, index_id INTEGER, model_id INTEGER, tag_id INTEGER, event_id INTEGER
);

CREATE TABLE data_queue(
  stamp INTEGER, action TEXT, source TEXT, queue_index INTEGER, queue_size INTEGER
);

CREATE TABLE ts_cpu(
  pc INTEGER, stamp INTEGER, pmu0 INTEGER, pmu1 INTEGER, pmu2 INTEGER, pmu3 INTEGER, pmu4 INTEGER, pmu5 INTEGER,
  pmu6 INTEGER, pmu7 INTEGER, pmu8 INTEGER, pmu9 INTEGER, pmu10 INTEGER, pmu11 INTEGER, pmu12 INTEGER, pmu13 INTEGER
);

-- The names of hashes. The last of several names counts.
CREATE TABLE hash_dic(
  hash TEXT, name TEXT
);
CREATE INDEX hash_dic_by_hash ON hash_dic(hash);

INSERT INTO record_table VALUES
  ('api_call'), ('task_desc'), ('tensor'), ('model_load'), ('model_time'), ('fusion_op'), ('step_info'),
  ('id_map'), ('host_sch'), ('task_track'), ('runtime_api'), ('msproftx'), ('hwts_event'), ('hwts_aiv_event'), ('aicore_pmu'),
  ('aiv_pmu'), ('ts_step'), ('ts_memcpy'), ('ts_task_type'), ('ts_flip'), ('ts_block_num'), ('aicpu_node'),
  ('aicpu_model'), ('data_queue'), ('ts_cpu'), ('hash_dic'), ('ffts_log'), ('block_pmu');
