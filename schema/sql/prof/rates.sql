-- What samples and calls of the machine become: rates, uses and parts.

-- Accesses to high-bandwidth memory. Rates are in the order in which they are shown.
CREATE TABLE hbm_rate(
  device_id INTEGER,
  hbm_id INTEGER, type INTEGER, -- the number of the memory; 1 for writes
  time_ns INTEGER,
  mbs REAL                     -- MB/s
);

-- Accesses to memory.
CREATE TABLE ddr_rate(
  device_id INTEGER, time_ns INTEGER,
  read_mbs REAL, write_mbs REAL -- MB/s
);

-- The last level cache.
CREATE TABLE llc_rate(
  device_id INTEGER,
  l3t_id INTEGER,              -- the number of the cache
  time_ns INTEGER,
  hit_rate REAL, mbs REAL      -- hits / accesses, and MB/s
);

-- Traffic between dies.
CREATE TABLE sio_rate(
  device_id INTEGER,
  die_id INTEGER,              -- the number of the die
  time_ns INTEGER,
  -- MB/s of requests, responses, snoops and data, in and out
  req_rx REAL, rsp_rx REAL, snp_rx REAL, dat_rx REAL, req_tx REAL, rsp_tx REAL, snp_tx REAL, dat_tx REAL
);

-- The L2 cache by task, if all events of its rates were counted.
CREATE TABLE l2_task(
  device_id INTEGER, stream_id INTEGER, task_id INTEGER,
  hit_rate REAL, victim_rate REAL -- hits and victims / requests
);

-- The translation of addresses (TLB) by task, if all events of its rates were counted.
CREATE TABLE tlb_task(
  device_id INTEGER, stream_id INTEGER, task_id INTEGER,
  hit_rate REAL, miss_rate REAL -- hits and misses / requests
);

-- The events of which the rates of l2_task and tlb_task are made.
CREATE TABLE l2_event(
  chip INTEGER,                -- the number of the chip
  what TEXT, event INTEGER, factor INTEGER, -- request, hit or victim, of the TLB with 'tlb ' before: the sum of these events, each times its factor
  PRIMARY KEY(chip, what, event)
) WITHOUT ROWID;

-- What network cards and RDMA over Ethernet carry, where the bandwidth is known.
CREATE TABLE port_rate(
  what TEXT,                   -- nic or roce
  device_id INTEGER,
  func_id INTEGER,             -- the number of the port
  time_ns INTEGER,
  -- shares of the bandwidth, packets, and shares of the packets
  rx_share REAL, rx_packets REAL, rx_errors REAL, rx_dropped REAL, tx_share REAL, tx_packets REAL, tx_errors REAL, tx_dropped REAL
);

-- Traffic of the links between cards.
CREATE TABLE hccs_rate(
  device_id INTEGER, time_ns INTEGER,
  tx_mbs REAL, rx_mbs REAL     -- MB/s
);

-- What the program uses of the processors of the host, up to the sample after time_ns.
CREATE TABLE host_cpu_use(
  time_ns INTEGER,
  cpu TEXT, use REAL           -- a number, or Avg; per cent
);

-- What the program uses of the memory of the host, up to the sample after time_ns.
CREATE TABLE host_memory_use(
  time_ns INTEGER,
  use REAL                     -- per cent
);

-- What goes through the network cards of the host whose speed is known, up to the sample after time_ns.
CREATE TABLE host_network_use(
  time_ns INTEGER,
  use REAL, kbs REAL           -- per cent, and KB/s
);

-- What the program reads from and writes to the disks of the host.
CREATE TABLE host_disk_use(
  time_ns INTEGER,
  read_kbs REAL, write_kbs REAL, -- KB/s
  use REAL                     -- per cent of the time it waited for a disk
);

-- Calls of the program to the system and to the library of threads.
CREATE TABLE os_call(
  tid INTEGER,                 -- the thread
  name TEXT,                   -- of the call
  start_ns INTEGER,
  dur_ns REAL                  -- as a double, like that of the reference
);

-- System calls that may wait: of others os_call has none. A part of the name is enough.
CREATE TABLE os_call_word(word TEXT PRIMARY KEY) WITHOUT ROWID; -- the part

-- Samples of processors of the device, each with the function that ran.
CREATE TABLE cpu_count(
  device_id INTEGER, row INTEGER, -- the row of cpu_perf_line
  kind TEXT,                   -- what the processor is for: ai or ctrl; NULL where no control file tells
  core INTEGER,                -- the number of the processor
  event INTEGER, count INTEGER, -- how often the event occurred since the sample before
  function TEXT, module TEXT   -- what ran, without the offset; unknown
);

-- Loops of the unit for collectives, with a row for each rank that they wait for.
CREATE TABLE ccu_part(
  device_id INTEGER, row INTEGER, -- the row of ccu_mission
  stream_id INTEGER, task_id INTEGER, -- the task; 65535 for a stream that no launch tells
  loop_instr_id INTEGER, loop_ns INTEGER, loop_dur_ns INTEGER, -- the instruction that loops, and when
  wait_instr_id INTEGER, wait_ns INTEGER, wait_dur_ns INTEGER, -- the instruction that waits, and when; NULL where it waits for none
  rank_id INTEGER              -- for which rank it waits
);

-- What the unit for collectives did: of each instruction of a task the last loop, or the wait that ended last, with what the host says of it.
CREATE TABLE ccu_step(
  device_id INTEGER, row INTEGER, -- the row of ccu_mission
  stream_id INTEGER, task_id INTEGER, -- the task, as in ccu_part
  waits INTEGER,               -- 1: it waits, 0: it loops
  instr_id INTEGER,            -- the instruction
  rank_id INTEGER,             -- for which rank it waits
  start_ns INTEGER, end_ns INTEGER, -- when
  die_id INTEGER, data_size INTEGER, mask INTEGER, -- as in ccu_wait_signal_info or ccu_group_info
  reduce_type TEXT, input_type TEXT, output_type TEXT -- how data is reduced; NULL where it is not
);

-- What the processor for data did: its tasks, and steps of collective operations on it.
CREATE TABLE dpu_task(
  device_id INTEGER,           -- the number of that processor
  step INTEGER,                -- the row of dpu_hccl_info; NULL for a task
  stream_id INTEGER, task_id INTEGER, thread_id INTEGER,
  start_ns INTEGER, end_ns INTEGER, -- when
  name TEXT                    -- of the step, or of the kernel that the host launched
);

-- Chips of version 6: when parts of cores were busy, and marks of programs.
CREATE TABLE instr_part(
  device_id INTEGER,
  core TEXT,                   -- the group and the core: 0_aic
  name TEXT,                   -- the part: SU, VEC, CUBE, MTE1, MTE2, MTE3 or FIXP
  block_id INTEGER,            -- the number of the block
  start_ns INTEGER, dur_ns INTEGER, -- when; a mark takes no time
  mark INTEGER                 -- the value of a mark; NULL where the part was busy
);

-- Chips of version 6: of each run of a task the first and the last block of each kind of core.
CREATE TABLE block_edge(
  id INTEGER,                  -- the task
  edge INTEGER,                -- 0: the first on a cube core, 1: the last; 2 and 3: on a vector core
  core_id INTEGER,             -- the number of the core
  start_ns INTEGER, dur_ns INTEGER
);

-- Delays of packets of 4 KB in the channels of the unit for collectives.
CREATE TABLE ccu_delay(
  device_id INTEGER, row INTEGER, -- the row of ccu_channel
  channel_id INTEGER,          -- the number of the channel
  time_ns INTEGER,
  mean_us REAL, least_us REAL, most_us REAL -- the delays
);
