-- Tables of SS928 jobs.

-- Ticks are 100 cycles of the core. Counters of layouts that tell shares of a task are in parts of a cycle: see the view parts.
CREATE TABLE aicore_task(
  task_id INTEGER,             -- prof_layer_id, which begins again in each net
  seg_id INTEGER,              -- the net within the model; 4294967295 where the board does not tell it
  ticks INTEGER, start_ns INTEGER, dur_ns INTEGER,
  mac_busy INTEGER, mac_ppen INTEGER, vec_busy INTEGER, vec_ppen INTEGER,
  dstr INTEGER, dtrans INTEGER, dld INTEGER, wld INTEGER,
  ddr_read_bytes INTEGER, ddr_write_bytes INTEGER
);

-- One row for each inference with recorded AI Core tasks, with the sums over its tasks; the tasks are rows
-- first_row..last_row of aicore_task.
CREATE TABLE inference(
  device_id INTEGER, model TEXT, model_id INTEGER, stream_id INTEGER, batch INTEGER, input_pic_num INTEGER, current_pic INTEGER,
  net_id INTEGER, first_row INTEGER NOT NULL, last_row INTEGER NOT NULL, tasks INTEGER NOT NULL, ticks INTEGER,
  mac_busy INTEGER, mac_ppen INTEGER, vec_busy INTEGER, vec_ppen INTEGER,
  dstr INTEGER, dtrans INTEGER, dld INTEGER, wld INTEGER,
  ddr_read_bytes INTEGER, ddr_write_bytes INTEGER,
  cache_hit INTEGER, cache_miss INTEGER, -- of the instruction cache, as the marker tells
  start_ns INTEGER, dur_ns INTEGER -- from the first begin to the last end of a task
);

-- The AI CPU tells whole microseconds, and numbers its nets in a way of its own.
CREATE TABLE aicpu_task(task_id INTEGER, start_ns INTEGER, dur_ns INTEGER);

CREATE TABLE api_call(type INTEGER, start_ns INTEGER, dur_ns INTEGER, pid INTEGER, tid INTEGER, name TEXT,
  detail TEXT                  -- of our recorder: the type of an operator, the domain of a mark or range
);

-- Whether each step of a recurrent net continues its sequence.
CREATE TABLE cont_step(cont INTEGER);

-- Layers and nets, as they are in files of the board; both are empty after the import. What they say is in layer and op.
CREATE TABLE layer_item(layer_id INTEGER, name TEXT, ori TEXT, seg_id INTEGER, type TEXT, task_id INTEGER);
CREATE TABLE net_item(seg_id INTEGER, type INTEGER, records INTEGER, cpu_operator TEXT);

-- One row for each model of the job; the two tables below refer to this one.
CREATE TABLE net(
  id INTEGER PRIMARY KEY,
  model TEXT NOT NULL,
  model_id INTEGER NOT NULL,
  batch INTEGER,
  input_pic_num INTEGER
);

-- seg_id is that of the tasks: -1 for tasks of the AI CPU, 4294967295 where the board does not tell the net.
CREATE TABLE layer(
  net_id INTEGER NOT NULL, task_id INTEGER NOT NULL, seg_id INTEGER NOT NULL, position INTEGER NOT NULL,
  layer_id INTEGER, name TEXT, type TEXT,
  ori TEXT,                    -- original layer names, joined with ','
  PRIMARY KEY(net_id, task_id, seg_id, position)
) WITHOUT ROWID;

-- The layers of a task as one row: items joined with ','.
CREATE TABLE op(
  net_id INTEGER NOT NULL, task_id INTEGER NOT NULL, seg_id INTEGER NOT NULL,
  layer_count INTEGER NOT NULL, layer_ids NUMERIC, names TEXT, types TEXT, oris TEXT,
  PRIMARY KEY(net_id, task_id, seg_id)
) WITHOUT ROWID;

-- The lines of board_stats.txt; empty after the import. What they say is in the tables below.
CREATE TABLE board_line(
  phase TEXT, uptime_s INTEGER, uptime_cs INTEGER, wall_s INTEGER, text_name TEXT, zone INTEGER, millidegree INTEGER, zone_type TEXT,
  left_name TEXT, version INTEGER, cpu_user INTEGER, cpu_nice INTEGER, cpu_system INTEGER, cpu_idle INTEGER, cpu_iowait INTEGER,
  cpu_irq INTEGER, cpu_softirq INTEGER, cpu_steal INTEGER, program_pid INTEGER, program_user INTEGER, program_system INTEGER,
  children_user INTEGER, children_system INTEGER, line TEXT
);

-- What layouts say about numbers of texts: the first that fits counts.
CREATE TABLE text_series(layout TEXT, place INTEGER, text TEXT, title TEXT, use TEXT, kind TEXT);

-- One row for each sample of the board. Ticks are those of the kernel since its start.
CREATE TABLE board_sample(
  id INTEGER PRIMARY KEY, phase TEXT, uptime_ns INTEGER, wall_s INTEGER,
  time_ns INTEGER,             -- on the axis of the calls
  load REAL, busy_ticks INTEGER, total_ticks INTEGER, program_ticks INTEGER,
  total_kb INTEGER, free_kb INTEGER, available_kb INTEGER, program_kb INTEGER
);

CREATE TABLE board_heat(sample_id INTEGER, zone INTEGER, type TEXT, millidegree INTEGER);

-- Numbers of texts below /proc/umap: the number in the place `title` of the section `section`, in the row `row` there.
CREATE TABLE board_series(
  id INTEGER PRIMARY KEY, text TEXT, section TEXT, title TEXT, row INTEGER, use TEXT, kind TEXT,
  moved_before INTEGER,        -- 1: the number changed between the two samples before the run
  moved INTEGER                -- 1: it changed during the run
);
CREATE TABLE board_value(sample_id INTEGER, series_id INTEGER, value, PRIMARY KEY(sample_id, series_id)) WITHOUT ROWID;

INSERT INTO record_table VALUES ('board_line'), ('aicore_task'), ('aicpu_task'), ('api_call'), ('cont_step'), ('layer_item'), ('net_item');
