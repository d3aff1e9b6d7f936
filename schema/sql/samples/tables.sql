-- The same records in JOB directories since 2022 and in PROF directories, unchanged. Times count from the start of the device: `stamp_us`,
-- in collections of version 2.0 `stamp_ns`, which in PROF directories is the time of day.

CREATE TABLE l2_cache(
  task_type INTEGER, stream_id INTEGER, task_id INTEGER, event0 INTEGER, event1 INTEGER, event2 INTEGER,
  event3 INTEGER, event4 INTEGER, event5 INTEGER, event6 INTEGER, event7 INTEGER
);

CREATE TABLE ddr(
  stamp_us INTEGER, count INTEGER, type INTEGER, controller INTEGER, master_id INTEGER
);

CREATE TABLE hbm(
  stamp_us INTEGER, count INTEGER, type INTEGER, hbm_id INTEGER, stamp_ns INTEGER
);

CREATE TABLE llc(
  stamp_us INTEGER, count INTEGER, event INTEGER, l3t_id INTEGER, stamp_ns INTEGER
);

CREATE TABLE pcie(
  stamp INTEGER, pcie_device INTEGER, -- the clock of the device, and the number of the link
  -- the smallest, the largest and the mean bytes a us: posted, non-posted and completions; and the latency
  tx_p_min INTEGER, tx_p_max INTEGER, tx_p_avg INTEGER, tx_np_min INTEGER, tx_np_max INTEGER, tx_np_avg INTEGER,
    tx_cpl_min INTEGER, tx_cpl_max INTEGER, tx_cpl_avg INTEGER, tx_latency_min INTEGER, tx_latency_max INTEGER, tx_latency_avg INTEGER,
    rx_p_min INTEGER, rx_p_max INTEGER, rx_p_avg INTEGER, rx_np_min INTEGER, rx_np_max INTEGER, rx_np_avg INTEGER,
    rx_cpl_min INTEGER, rx_cpl_max INTEGER, rx_cpl_avg INTEGER
);

-- Counters of a core, read at intervals, in jobs that do not measure tasks (sample.json: `sample-based`).
CREATE TABLE aicore_sample(
  mode INTEGER, core INTEGER,  -- the mode of the record, and the number of the core
  counters INTEGER,            -- the number of valid columns from pmu0 on
  total_cycles INTEGER, pmu0 INTEGER, pmu1 INTEGER, pmu2 INTEGER, pmu3 INTEGER, pmu4 INTEGER,
  pmu5 INTEGER, pmu6 INTEGER, pmu7 INTEGER, pmu8 INTEGER, pmu9 INTEGER, time_ns INTEGER,
  stamp_ns INTEGER             -- in its place, a time of the clock of the device
);

-- The same of a vector core.
CREATE TABLE aiv_sample(
  mode INTEGER, core INTEGER,  -- the mode of the record, and the number of the core
  counters INTEGER,            -- the number of valid columns from pmu0 on
  total_cycles INTEGER, pmu0 INTEGER, pmu1 INTEGER, pmu2 INTEGER, pmu3 INTEGER, pmu4 INTEGER,
  pmu5 INTEGER, pmu6 INTEGER, pmu7 INTEGER, pmu8 INTEGER, pmu9 INTEGER, time_ns INTEGER,
  stamp_ns INTEGER             -- in its place, a time of the clock of the device
);

-- Lines of texts about a network card. Heads of columns are rows of NULL. Times are ns of the device.
CREATE TABLE nic(
  -- the time, what the port can carry in Mbit a second, and what the device counted
  stamp_ns INTEGER, bandwidth INTEGER, rx_packet INTEGER, rx_byte INTEGER, rx_packets INTEGER, rx_bytes INTEGER, rx_errors INTEGER,
    rx_dropped INTEGER, tx_packet INTEGER, tx_byte INTEGER, tx_packets INTEGER, tx_bytes INTEGER, tx_errors INTEGER, tx_dropped INTEGER,
    func_id INTEGER
);

-- The same of RDMA over Ethernet.
CREATE TABLE roce(
  -- as in nic
  stamp_ns INTEGER, bandwidth INTEGER, rx_packet INTEGER, rx_byte INTEGER, rx_packets INTEGER, rx_bytes INTEGER, rx_errors INTEGER,
    rx_dropped INTEGER, tx_packet INTEGER, tx_byte INTEGER, tx_packets INTEGER, tx_bytes INTEGER, tx_errors INTEGER, tx_dropped INTEGER,
    func_id INTEGER
);

-- Lines of texts about traffic between the cards. Heads of columns are rows of NULL. Times are ns of the device.
CREATE TABLE hccs(
  stamp_ns INTEGER, tx INTEGER, rx INTEGER
);

-- Lines of texts about the use of the engines for pictures. Heads of columns are rows of NULL. Times are ns of the device.
CREATE TABLE dvpp(
  stamp_ns INTEGER, dvpp_id INTEGER, engine_type INTEGER, engine_id INTEGER, all_time INTEGER, all_frame INTEGER, all_use TEXT,
  proc_time INTEGER, proc_frame INTEGER, proc_use TEXT, last_time INTEGER, last_frame INTEGER
);

-- Clock ticks of the processors of a device. A row with a stamp begins a sample.
CREATE TABLE device_cpu(
  stamp_ns INTEGER, number INTEGER, -- the time and the number of a sample
  cpu INTEGER,                 -- NULL for all processors
  -- ticks, as in /proc/stat
  user INTEGER, nice INTEGER, system INTEGER, idle INTEGER, iowait INTEGER, irq INTEGER,
    softirq INTEGER, steal INTEGER, guest INTEGER, guest_nice INTEGER
);

-- The values of /proc/meminfo of a device. A row named TimeStamp begins a sample.
CREATE TABLE device_memory(
  name TEXT, value INTEGER, unit TEXT
);

INSERT INTO record_table VALUES ('l2_cache'), ('ddr'), ('hbm'), ('llc'), ('pcie'), ('aicore_sample'), ('aiv_sample'), ('nic'), ('roce'),
  ('hccs'), ('dvpp'), ('device_cpu'), ('device_memory');
