-- The tables of msprof.db; docs/SCHEMA.md explains them. Schema version 1.
-- A row of a record table belongs to the source whose rows first_row..last_row hold its rowid.

CREATE TABLE meta(
  key TEXT PRIMARY KEY,
  value
) WITHOUT ROWID;

-- One row for each file that the job holds, raw or not.
CREATE TABLE source(
  id INTEGER PRIMARY KEY,
  file TEXT NOT NULL,          -- relative to the job
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  state TEXT NOT NULL,         -- raw, marker, info, unknown, unreadable
  layout TEXT,
  layout_version INTEGER,
  verified INTEGER,            -- 1: the layout was checked against real data
  target TEXT,                 -- the table its records went to
  device_id INTEGER,
  model TEXT,
  model_id INTEGER,
  batch INTEGER,
  input_pic_num INTEGER,
  current_pic INTEGER,
  slice INTEGER,
  records INTEGER NOT NULL DEFAULT 0,
  record_bytes INTEGER NOT NULL DEFAULT 0,
  blank_bytes INTEGER NOT NULL DEFAULT 0,
  damaged_bytes INTEGER NOT NULL DEFAULT 0,
  gaps INTEGER NOT NULL DEFAULT 0,
  has_done INTEGER NOT NULL DEFAULT 0,
  first_row INTEGER,
  last_row INTEGER,
  net_id INTEGER,
  remark TEXT
);
CREATE INDEX source_by_file ON source(file);
CREATE INDEX source_with_gaps ON source(gaps) WHERE gaps > 0;
CREATE INDEX source_by_identity ON source(target, device_id, model_id, current_pic);

-- Bytes that became no record.
CREATE TABLE damage(file TEXT NOT NULL, offset INTEGER NOT NULL, bytes INTEGER NOT NULL, reason TEXT NOT NULL);

-- Places where a running number of records jumps.
CREATE TABLE sequence_gap(file TEXT NOT NULL, offset INTEGER NOT NULL, expected INTEGER, found INTEGER);

-- What the user must know: kind is assumed, odd (kept as it was), warning, missing (makes exit status 3).
CREATE TABLE note(kind TEXT NOT NULL, file TEXT, text TEXT NOT NULL);

CREATE TABLE device(
  device_id INTEGER PRIMARY KEY,
  frequency_mhz INTEGER,
  counter_mhz INTEGER,
  host_realtime_ns INTEGER,
  host_monotonic_ns INTEGER,
  collector TEXT,
  lost INTEGER,
  info TEXT
);

-- svp -----------------------------------------------------------------

CREATE TABLE aicore_task(
  task_id INTEGER, stream_id INTEGER, start_tick INTEGER, end_tick INTEGER, start_ns INTEGER, dur_ns INTEGER,
  mac_busy INTEGER, mac_ppen INTEGER, vec_busy INTEGER, vec_ppen INTEGER,
  dstr INTEGER, dtrans INTEGER, dld INTEGER, wld INTEGER,
  ddr_read_bytes INTEGER, ddr_write_bytes INTEGER, icache_miss INTEGER, icache_access INTEGER
);

-- One row for each inference whose AA Core tasks were recorded, with the sums over its tasks; the tasks
-- are rows first_row..last_row of aicore_task.
CREATE TABLE inference(
  device_id INTEGER, model TEXT, model_id INTEGER, batch INTEGER, input_pic_num INTEGER, current_pic INTEGER,
  net_id INTEGER, first_row INTEGER NOT NULL, last_row INTEGER NOT NULL, tasks INTEGER NOT NULL, ticks INTEGER,
  mac_busy INTEGER, mac_ppen INTEGER, vec_busy INTEGER, vec_ppen INTEGER,
  dstr INTEGER, dtrans INTEGER, dld INTEGER, wld INTEGER,
  ddr_read_bytes INTEGER, ddr_write_bytes INTEGER, icache_miss INTEGER, icache_access INTEGER
);

CREATE TABLE aicpu_task(
  task_id INTEGER, stream_id INTEGER, start_tick INTEGER, end_tick INTEGER, start_ns INTEGER, dur_ns INTEGER
);

CREATE TABLE api_call(type INTEGER, start_ns INTEGER, dur_ns INTEGER, pid INTEGER, tid INTEGER, name TEXT);

CREATE TABLE layer_line(line TEXT);
CREATE TABLE net_line(line TEXT);

-- One row for each model of the job; the two below hang off it.
CREATE TABLE net(
  id INTEGER PRIMARY KEY,
  model TEXT NOT NULL,
  model_id INTEGER NOT NULL,
  batch INTEGER,
  input_pic_num INTEGER
);

CREATE TABLE layer(
  net_id INTEGER NOT NULL, task_id INTEGER NOT NULL, stream_id INTEGER NOT NULL, position INTEGER NOT NULL,
  layer_id INTEGER, name TEXT, type TEXT,
  ori TEXT,                    -- original layer names, separated by char(31)
  PRIMARY KEY(net_id, task_id, stream_id, position)
) WITHOUT ROWID;

-- The layers of a task as one row: items joined with ','.
CREATE TABLE op(
  net_id INTEGER NOT NULL, task_id INTEGER NOT NULL, stream_id INTEGER NOT NULL,
  layer_count INTEGER NOT NULL, layer_ids NUMERIC, names TEXT, types TEXT, oris TEXT,
  PRIMARY KEY(net_id, task_id, stream_id)
) WITHOUT ROWID;

-- ascend --------------------------------------------------------------

CREATE TABLE hwts_event(
  type INTEGER, overflow INTEGER, sequence INTEGER, core INTEGER, block INTEGER, task_id INTEGER, counter INTEGER,
  stream_id INTEGER, time_ns INTEGER
);

CREATE TABLE hwts_task(
  device_id INTEGER, stream_id INTEGER, task_id INTEGER, core INTEGER, start_ns INTEGER, dur_ns INTEGER,
  hwts_op_id INTEGER
);

-- Starts without an end, and ends without a start.
CREATE TABLE unpaired(
  device_id INTEGER, stream_id INTEGER, task_id INTEGER, time_ns INTEGER, what TEXT NOT NULL
);

CREATE TABLE task_desc(op_name TEXT, block_dim INTEGER, task_id INTEGER, stream_id INTEGER);
CREATE TABLE graph_desc(op_name TEXT, op_type TEXT, tensors TEXT);
CREATE TABLE trace_point(point INTEGER, op_name TEXT);

-- What task_desc says of a task; stream_id is NULL where the task id alone is unique.
CREATE TABLE hwts_op(
  id INTEGER PRIMARY KEY, device_id INTEGER, stream_id INTEGER, task_id INTEGER, name TEXT, type TEXT,
  block_dim INTEGER
);
CREATE UNIQUE INDEX hwts_op_by_task ON hwts_op(device_id, task_id, stream_id);

CREATE TABLE step_trace(type INTEGER, task_id INTEGER, stream_id INTEGER, counter INTEGER, time_ns INTEGER);

CREATE TABLE aicpu_events(
  thread INTEGER, device INTEGER, aicpu INTEGER, drv_top_tick INTEGER, drv_bottom_tick INTEGER,
  run_begin_tick INTEGER, run_end_tick INTEGER, dispatch_us INTEGER, total_us INTEGER,
  stamp INTEGER, node TEXT, run_start INTEGER, compute_start INTEGER, memcpy_start INTEGER, memcpy_end INTEGER,
  run_end INTEGER
);

CREATE TABLE queue_events(stamp INTEGER, action TEXT, source TEXT, queue_index INTEGER, queue_size INTEGER);

-- The tables that layouts may fill.
CREATE TABLE record_table(name TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO record_table VALUES
  ('aicore_task'), ('aicpu_task'), ('api_call'), ('layer_line'), ('net_line'), ('hwts_event'), ('task_desc'),
  ('graph_desc'), ('trace_point'), ('step_trace'), ('aicpu_events'), ('queue_events');
