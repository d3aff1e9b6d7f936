-- All times, of host and devices, are ns of the host's monotonic clock; meta has what to add for the time of day. Columns with hashes have
-- 64 bits as a signed number; the table name has their texts. Record tables have the records of `schema/records/prof_*.rec`.

-- A row for each task, in order of device and start, followed by tasks that were launched but did not run. SCHEMA.md tells how rows are joined.
CREATE TABLE task(
  id INTEGER PRIMARY KEY,      -- in order of device and start
  device_id INTEGER, stream_id INTEGER, task_id INTEGER, batch_id INTEGER, context_id INTEGER,
  start_ns INTEGER, dur_ns INTEGER, -- NULL for a task that did not run
  wait_ns INTEGER, before_ns INTEGER, -- of an operator: the time since the end of the operator before it, negative where they overlap; the start of that
  device_type INTEGER,         -- task_kind has its name; from 256 on subtask_kind
  thread_id INTEGER, launch_ns INTEGER, -- the launch; NULL for a task without one
  connection_id INTEGER,       -- the call that launched the task: of a node, else the innermost of acl or of a model
  model_id INTEGER,            -- 4294967295 for none
  is_op INTEGER,               -- 1: an operator, a row of op_summary; 2: one that op_summary leaves out; else NULL
  has_parts INTEGER,           -- 1: its sub-tasks ran; else NULL
  key_id INTEGER,              -- its first run with the same numbers, where that is another
  host_type INTEGER, kernel_name INTEGER, -- hashes: what the host calls the task, and its kernel
  op_name INTEGER, op_type INTEGER, -- hashes: the operator
  op_state INTEGER,            -- 0 for a static, 1 for a dynamic shape
  node_type INTEGER,           -- node_kind has its name
  block_num INTEGER,           -- blocks: of task_track if its data_len includes the number, else of node_basic_info, else of ts_block_num
  mix_num INTEGER,             -- blocks of the other kind of core, of a mixed operator
  op_flag INTEGER,             -- 1: HF32 may be used, 0: not
  tensor_id INTEGER,           -- the row of tensor
  frequency_mhz INTEGER,       -- of the core when the task started
  aic_us REAL, aiv_us REAL,    -- its cycles as time, spread over its blocks
  -- cycles of the cube cores, and the counters that the table counter tells
  aic_cycles INTEGER, aic_pmu0 INTEGER, aic_pmu1 INTEGER, aic_pmu2 INTEGER, aic_pmu3 INTEGER, aic_pmu4 INTEGER,
    aic_pmu5 INTEGER, aic_pmu6 INTEGER, aic_pmu7 INTEGER, aic_pmu8 INTEGER, aic_pmu9 INTEGER,
  -- the same of the vector cores
  aiv_cycles INTEGER, aiv_pmu0 INTEGER, aiv_pmu1 INTEGER, aiv_pmu2 INTEGER, aiv_pmu3 INTEGER, aiv_pmu4 INTEGER,
    aiv_pmu5 INTEGER, aiv_pmu6 INTEGER, aiv_pmu7 INTEGER, aiv_pmu8 INTEGER, aiv_pmu9 INTEGER
);

-- The texts of hashes.
CREATE TABLE name(
  hash INTEGER PRIMARY KEY, name TEXT NOT NULL -- the hash as a signed number, and its text
);

-- The names of types of calls.
CREATE TABLE type_name(
  level INTEGER, type INTEGER, name TEXT NOT NULL, -- the level, the type in it, and its name
  PRIMARY KEY(level, type)
) WITHOUT ROWID;

-- A row for each level and type of calls.
CREATE TABLE call_kind(
  id INTEGER PRIMARY KEY,      -- level << 32 | type
  level TEXT, name TEXT,       -- the level as in level.shown, and the name of the type
  title TEXT,                  -- of their events in a trace: the track and the name
  mode TEXT, item TEXT,        -- as reports print them: of acl the category and the name, else the name and 0
  -- of all that do not end before they start: their number, and the sum, the least, the largest, and the sum of the squares of the durations
  count INTEGER, total_ns INTEGER, shortest_ns INTEGER, longest_ns INTEGER, squares REAL
);

-- Threads with calls, in the order of their first.
CREATE TABLE thread(thread_id INTEGER);

-- Streams with tasks, in the order of their first.
CREATE TABLE stream(device_id INTEGER, stream_id INTEGER);

-- The tensors of an operator as reports print them. One row for each that differs.
CREATE TABLE tensor(
  id INTEGER PRIMARY KEY,      -- task names it tensor_id
  -- several are joined with ';'
  input_shapes TEXT, input_types TEXT, input_formats TEXT, output_shapes TEXT, output_types TEXT, output_formats TEXT
);

-- Iterations of models, and steps of the program.
CREATE TABLE step(
  device_id INTEGER, model_id INTEGER, -- the model is 4294967295 for steps of the program
  index_id INTEGER,            -- the recorded number, for `--iteration-id`
  iteration INTEGER,           -- counts those of the model
  fp_ns INTEGER, bp_ns INTEGER, end_ns INTEGER, -- the begin of forward propagation, the end of back propagation, and the end of the iteration
  before_ns INTEGER,           -- the end of the previous iteration of the model; NULL for the first
  start_ns INTEGER,
  data_ns INTEGER              -- the last end of an iteration of the device before fp_ns
);

-- What iterations reduced over their ranks, in order of device, model and iteration.
CREATE TABLE step_reduce(
  device_id INTEGER, model_id INTEGER, iteration INTEGER, -- the row of step
  start_ns INTEGER, end_ns INTEGER -- from when to when
);
CREATE INDEX reduce_by_step ON step_reduce(device_id, model_id, iteration);

-- When iterations waited for their data (GetNext), in order of device, model and iteration.
CREATE TABLE step_next(
  device_id INTEGER, model_id INTEGER, iteration INTEGER, -- the row of step
  start_ns INTEGER, end_ns INTEGER -- from when to when
);

-- Changes of the core frequency, in order of time.
CREATE TABLE core_frequency(
  device_id INTEGER, time_ns INTEGER,
  mhz INTEGER                  -- from then on
);

-- What lpmInfoConv tells of frequency and voltage, after what held when the device began.
CREATE TABLE lpm_point(
  device_id INTEGER,
  kind INTEGER, value INTEGER, -- 0 MHz of the cores, 1 mV of the cores, 2 mV of the bus
  time_ns INTEGER              -- from then on
);

-- A counter whose ticks are no whole ns: durations of tasks are whole ticks.
CREATE VIEW odd_clock AS SELECT max(1e9 / counter_hz) AS tick_ns -- ns; NULL for whole ones
FROM device WHERE 1000000000 % counter_hz;

-- The events that the counters of tasks count.
CREATE TABLE counter(
  device_id INTEGER,
  core TEXT, position INTEGER, -- aic or aiv, and N of aic_pmuN or aiv_pmuN
  event INTEGER,               -- its number
  PRIMARY KEY(device_id, core, position)
) WITHOUT ROWID;

-- The levels of calls.
CREATE TABLE level(
  level INTEGER PRIMARY KEY, name TEXT NOT NULL, -- the number in records, and its word
  track TEXT NOT NULL,         -- the track of a trace
  shown TEXT NOT NULL, number INTEGER -- the word and the number in exports
);

-- Kinds of tasks of devices.
CREATE TABLE task_kind(
  kind INTEGER PRIMARY KEY, name TEXT NOT NULL -- the number in records, and its word
);

-- Kinds of sub-tasks of devices.
CREATE TABLE subtask_kind(
  kind INTEGER PRIMARY KEY, name TEXT NOT NULL -- the number in records, and its word
);

-- What the host calls its tasks, and what that says of them.
CREATE TABLE host_word(
  name TEXT PRIMARY KEY,       -- the word
  in_node INTEGER,             -- 1: an operator in the call of a node
  alone INTEGER, node_kind INTEGER, -- 1: without such a call an operator by itself, of that kind of node
  busy INTEGER,                -- 1: does not bound the free time of a device
  contexts INTEGER, by_context INTEGER, -- 1: sub-tasks may be the operators; 1: without a node that of context 0
  copies INTEGER               -- 1: copies memory
) WITHOUT ROWID;

-- The values of task.host_type.
CREATE TABLE host_kind(
  kind INTEGER PRIMARY KEY, name TEXT NOT NULL -- the hash, and its word
);

-- Kinds of nodes: the values of task.node_type.
CREATE TABLE node_kind(
  kind INTEGER PRIMARY KEY, name TEXT NOT NULL -- the number in records, and its word
);

-- Types of data.
CREATE TABLE data_type(
  kind INTEGER PRIMARY KEY, name TEXT NOT NULL -- the number in records, and its word
);

-- Formats of tensors.
CREATE TABLE data_format(
  kind INTEGER PRIMARY KEY, name TEXT NOT NULL -- the number in records, and its word
);

-- Categories of calls of acl: the high half of their type.
CREATE TABLE acl_mode(
  category INTEGER PRIMARY KEY, name TEXT NOT NULL -- the number in records, and its word
);

-- The attributes of the node of a call.
CREATE TABLE node_attr(
  connection_id INTEGER PRIMARY KEY, attr INTEGER -- the call, and the hash of the attributes
);

-- Collective operations that ran.
CREATE TABLE comm_op(
  id INTEGER PRIMARY KEY,      -- comm_task names it op_id
  device_id INTEGER, connection_id INTEGER,
  -- the item of the node's call, the last three digits of the group's hash, a number that counts the operations of the group, and the number of
  -- the run
  name TEXT,
  op_type INTEGER,             -- a hash
  start_ns INTEGER, end_ns INTEGER, -- those of the steps of the master stream; NULL without such steps
  step_group INTEGER, group_name INTEGER, -- hashes of the group: of hccl_info, what the host says of the steps; of hccl_op_info, what it says of the operation
  relay INTEGER, retry INTEGER, data_type INTEGER, alg_type INTEGER, count INTEGER, -- as in hccl_op_info
  rank_size INTEGER,           -- how many ranks the group has
  model_id INTEGER,
  on_aicpu INTEGER DEFAULT 0   -- 1: of kernels of the AI CPU
);

-- The steps of collective operations.
CREATE TABLE comm_task(
  id INTEGER PRIMARY KEY, op_id INTEGER, -- the rows of task and of comm_op
  info_row INTEGER,            -- the row of hccl_info that describes it; those that the AI CPU recorded come after the host's
  is_master INTEGER,           -- 1: of the master stream
  connection_id INTEGER,
  bandwidth REAL,              -- bytes a ns
  on_aicpu INTEGER DEFAULT 0   -- 1: launched by the AI CPU; such steps may be of an operation of the host
);

-- Tracks of the trace of communication.
CREATE TABLE comm_track(
  device_id INTEGER,
  step_group INTEGER,          -- the hash of the group
  track INTEGER,               -- that of a group's operations, followed by those of its planes
  on_aicpu INTEGER DEFAULT 0   -- 1: launched by the AI CPU
);

-- What steps moved or waited for.
CREATE TABLE comm_transfer(
  id INTEGER,                  -- the row of task
  what INTEGER,                -- 1 copied to another rank, 2 within the device, 3 sent payloads, 4 waited, 5 waited before anything was copied or sent
  size INTEGER, ns INTEGER,    -- bytes, and how long it took
  PRIMARY KEY(id, what)
) WITHOUT ROWID;

-- The order of types in the statistic of operations that took equally long.
CREATE TABLE comm_type(
  device_id INTEGER,
  op_type INTEGER, place INTEGER -- the hash of the type, and its place
);

-- Tasks that began together.
CREATE TABLE tied_task(
  id INTEGER PRIMARY KEY,      -- the row of task
  place INTEGER                -- in task_time
);

-- The order of types in the statistic of operators.
CREATE TABLE op_place(
  device_id INTEGER,
  op_type INTEGER, core_type INTEGER, -- the hash of the type, and the kind of cores
  place INTEGER                -- by time, and among equal times
);
CREATE INDEX op_place_by_type ON op_place(device_id, op_type);

-- Calls of the level of communication (5500), by their item.
CREATE TABLE item_call(
  item_id INTEGER,             -- the hash of the item
  -- as in call_kind
  count INTEGER, total_ns INTEGER, shortest_ns INTEGER, longest_ns INTEGER, squares REAL
);

-- What devices do in stretches of time.
CREATE TABLE overlap(
  device_id INTEGER,
  kind INTEGER,                -- 0 an operator computes; for devices with collective operations also 1 an operation runs, 2 an operation runs and nothing computes, 3 neither
  start_ns INTEGER, end_ns INTEGER, -- the stretch
  free_ns INTEGER              -- of kind 0: how long the device was free before, 0 for its first stretch; NULL for devices with collective operations
);

-- Words for numbers of hccl_info.
CREATE TABLE hccl_kind(
  what TEXT, kind INTEGER, name TEXT NOT NULL, -- data, link, rdma or transport; the number, and its word
  PRIMARY KEY(what, kind)
) WITHOUT ROWID;

-- The model of the call in which a row of fusion_op_info was recorded.
CREATE TABLE fusion_model(
  row INTEGER PRIMARY KEY,     -- the row of fusion_op_info
  model_id INTEGER
);

-- What the control files of a device say.
CREATE TABLE setting(
  device_id INTEGER PRIMARY KEY,
  chip INTEGER,                -- the number of the chip
  llc TEXT,                    -- which accesses to the last level cache were counted: read or write
  hbm_events TEXT,             -- what is counted of its memory
  qos_events TEXT, l2_events TEXT, -- the names of its classes of traffic, and the events of its L2 cache, joined with ','
  tlb_events TEXT,             -- the events of its TLB, joined with ','
  ahead_ns INTEGER,            -- to be added to times of the device's own clock
  mhz INTEGER, cores INTEGER, aiv_cores INTEGER, -- frequency of the cores, and their number: cube and vector
  aic_metrics TEXT, aiv_metrics TEXT, -- the groups of their metrics
  sampled INTEGER,             -- 1: counters were read at intervals
  old_driver INTEGER           -- 1: the driver is of before batches of tasks
);

-- What differs by chip in samples.
CREATE TABLE sample_chip(
  chip INTEGER PRIMARY KEY,    -- the number of the chip
  ddr_bits INTEGER,            -- the width of DDR
  llc_ids INTEGER,             -- the number of last level caches that are shown
  pcie_last INTEGER,           -- 1: PCIe is the last sample
  cube_most INTEGER            -- the largest number of a cube core, where vector cores follow
);

-- The events of the last level cache by what is counted.
CREATE TABLE llc_event(
  mode TEXT, event INTEGER,    -- read or write, and the number of the event
  place INTEGER,               -- hits are 2, 3, 5 and 7, of the accesses 4 and 6; lines are 0 and 1
  PRIMARY KEY(mode, event)
) WITHOUT ROWID;

-- The dies of a chip whose traffic is shown.
CREATE TABLE sample_die(
  chip INTEGER, die_id INTEGER, name TEXT, -- the numbers of the chip and of the die, and what it is called
  PRIMARY KEY(chip, die_id)
) WITHOUT ROWID;

-- Modules of the driver.
CREATE TABLE module(
  module INTEGER PRIMARY KEY, name TEXT NOT NULL -- the number in records, and its word
);

-- Events that the scheduler's processor counts.
CREATE TABLE cpu_event(event INTEGER PRIMARY KEY, name TEXT); -- the number, and its name

-- The options of the vendor's tool that make files.
CREATE TABLE file_option(pattern TEXT PRIMARY KEY, made_by TEXT) WITHOUT ROWID; -- the path of files, for GLOB, and the option

-- Classes of traffic.
CREATE TABLE qos_sample(
  device_id INTEGER,
  die_id INTEGER,              -- the number of the die; NULL where the chip tells none
  time_ns INTEGER,
  name TEXT, mbs INTEGER       -- the class, and MB/s
);

-- Tasks that a trace connects with their call though they are no operators.
CREATE TABLE arrow(
  id INTEGER PRIMARY KEY       -- the row of task
);

-- Sub-tasks that the host named as parts of operators that exports leave out: of a call they have the last one.
CREATE TABLE named_part(
  id INTEGER PRIMARY KEY,      -- the row of task
  connection_id INTEGER,       -- the call
  op_name INTEGER, op_type INTEGER, node_type INTEGER, tensor_id INTEGER -- the operator, as in task
);

-- Calls that a trace connects with their tasks though they are of no node.
CREATE TABLE arrow_call(connection_id INTEGER PRIMARY KEY);

-- Directions of copies.
CREATE TABLE copy_kind(
  kind INTEGER PRIMARY KEY, name TEXT NOT NULL -- the number in records, and its word
);

-- Marks that a stream carries to devices.
CREATE TABLE stream_mark(
  mark_id INTEGER PRIMARY KEY, -- the number of the mark
  process_id INTEGER, tid INTEGER,
  event_type INTEGER,          -- as in msproftx
  message TEXT,                -- the text, in one piece
  domain TEXT,                 -- its name, or invalid
  start_ns INTEGER, dur_ns INTEGER
);

-- When a device came to marks of streams.
CREATE TABLE device_mark(
  mark_id INTEGER,             -- the row of stream_mark
  device_id INTEGER, stream_id INTEGER, task_id INTEGER, model_id INTEGER, start_ns INTEGER, dur_ns INTEGER
);

-- Copies among the tasks, as memcpy_info of the same thread and time says.
CREATE TABLE task_copy(
  id INTEGER PRIMARY KEY,      -- the row of task
  bytes INTEGER, direction INTEGER -- how much, and the kind of copy_kind; 65535 where that is not known
);

-- Memory that operators got, with its release.
CREATE TABLE op_memory(
  allocated_row INTEGER, released_row INTEGER -- rows of task_memory_info; either may be NULL
);

-- Words that databases of earlier schemas lack: they get them from here.

-- The chips of this generation.
CREATE TABLE chip(
  chip INTEGER PRIMARY KEY, name TEXT, -- the number in the info file, and what it is called
  metrics TEXT,                -- the kind of its metrics: see formula
  stars INTEGER,               -- 1: stars logs its tasks
  old INTEGER,                 -- 1: its reports are in the older style
  curve INTEGER                -- the curve of the frequency of its cores: none (NULL), of the info file (0), or of changes, each told once or twice
);

-- The metrics of each group, made of events of the core; several events of one metric are added up.
CREATE TABLE formula(
  kinds TEXT,                  -- of chips (NULL: all): two (cube and vector cores have their own), one (a core has both units), three (as one, with other vectors)
  metrics TEXT, place INTEGER, name TEXT, -- the group, the order there, and the metric
  -- pipe (a time and a ratio), ratio (to the cycles), rate (to another event), bandwidth (weight: bytes, in GB/s), count, or work (counted as
  -- long as there are cycles)
  what TEXT,
  event INTEGER, weight REAL,  -- the event, and its weight
  per INTEGER                  -- of a rate: the other event
);

-- The metrics of each device: a row for each event of a metric.
CREATE TABLE core_metric(
  device_id INTEGER,
  core TEXT,                   -- aic or aiv
  kind TEXT,                   -- of the chip: see formula
  place INTEGER, name TEXT, what TEXT, event INTEGER, weight REAL, -- as in formula
  row INTEGER,                 -- the row of formula
  position INTEGER, per_position INTEGER -- those of the counters of event and per
);

-- Metrics that op_summary leaves out.
CREATE TABLE unshown(
  core TEXT, name TEXT,        -- aic or aiv, and the metric
  PRIMARY KEY(core, name)
) WITHOUT ROWID;

-- Metrics that stars chips of the older style lack.
CREATE TABLE half_unit(
  name TEXT PRIMARY KEY        -- the metric
) WITHOUT ROWID;
