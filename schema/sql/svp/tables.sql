-- Tables of SS928, Hi3519DV500 and Hi3516CV610. A tick is 100 cycles of the core.

-- Tasks of the AI Core. A record has a duration alone: the view counters says whether the counters are to be believed.
CREATE TABLE aicore_task(
  task_id INTEGER,             -- the number of the task in its net (prof_layer_id), which begins again in each net
  seg_id INTEGER,              -- the net within the model; 4294967295 where the records do not tell it (Hi3519DV500, Hi3516CV610)
  ticks INTEGER,               -- how long it took
  start_ns INTEGER,            -- the start in the marker of the inference, and the durations of all records before
  dur_ns INTEGER,              -- a task ends where the next one begins
  -- cycles, so that counter / ticks is per cent; of layouts that tell shares of a task, whole numbers of parts of a cycle: see the view parts
  mac_busy INTEGER, mac_ppen INTEGER, vec_busy INTEGER, vec_ppen INTEGER, dstr INTEGER, dtrans INTEGER, dld INTEGER, wld INTEGER,
  ddr_read_bytes INTEGER, ddr_write_bytes INTEGER -- bytes read from and written to external memory
);

-- A row for each sampled inference with tasks of the AI Core. A doubtful file (model NULL) is an inference of its own.
CREATE TABLE inference(
  -- the facts in the name of its file: see source
  device_id INTEGER, model TEXT, model_id INTEGER, stream_id INTEGER, batch INTEGER, input_pic_num INTEGER, current_pic INTEGER,
  net_id INTEGER,              -- the row of net for its model
  first_row INTEGER NOT NULL, last_row INTEGER NOT NULL, -- its tasks are these rows of aicore_task
  tasks INTEGER NOT NULL,      -- their number
  -- sums over its tasks
  ticks INTEGER, mac_busy INTEGER, mac_ppen INTEGER, vec_busy INTEGER, vec_ppen INTEGER,
    dstr INTEGER, dtrans INTEGER, dld INTEGER, wld INTEGER, ddr_read_bytes INTEGER, ddr_write_bytes INTEGER,
  cache_hit INTEGER, cache_miss INTEGER, -- of the instruction cache, as the marker tells
  start_ns INTEGER, dur_ns INTEGER -- from the first begin to the last end of a task
);

-- Tasks of the AI CPU.
CREATE TABLE aicpu_task(
  task_id INTEGER,             -- a number of its own
  start_ns INTEGER, dur_ns INTEGER -- whole microseconds, in ns
);

-- Calls of the API.
CREATE TABLE api_call(
  -- 1 op, 2 model, 3 runtime, 4 others; 5 a mark or range of the program (msproftx), which is not a call and not in statistics of calls
  type INTEGER,
  start_ns INTEGER, dur_ns INTEGER, pid INTEGER, tid INTEGER,
  name TEXT,                   -- of the call, mark or range
  detail TEXT                  -- of our recorder: the type of an operator (1), the domain of a mark or range (5)
);

-- Steps of a recurrent net.
CREATE TABLE cont_step(
  cont INTEGER                 -- whether the step continues its sequence
);

-- Layers as they are in files of the board. Empty after the import: layer and op say the same.
CREATE TABLE layer_item(
  -- as in layer
  layer_id INTEGER, name TEXT, ori TEXT, seg_id INTEGER, type TEXT, task_id INTEGER
);

-- Nets as they are in files of the board. Empty after the import.
CREATE TABLE net_item(
  seg_id INTEGER, type INTEGER, -- the net within the model, and its kind
  records INTEGER,             -- how many records it has
  cpu_operator TEXT            -- of a net of the AI CPU: its operator
);

-- A row for each model of the job.
CREATE TABLE net(
  id INTEGER PRIMARY KEY,      -- other tables name it net_id
  model TEXT NOT NULL, model_id INTEGER NOT NULL, batch INTEGER, input_pic_num INTEGER -- the facts in the names of its files
);

-- The layers of each task, in the order of `layer.info`.
CREATE TABLE layer(
  net_id INTEGER NOT NULL,     -- the row of net for its model
  -- the task, as in aicore_task; of the AI CPU: the numbers of tasks of a model in ascending order are those of its CPU nets, if there are as many
  task_id INTEGER NOT NULL,
  -- the net, as in aicore_task; −1 for tasks of the AI CPU. Where tasks do not tell their net, the layers of numbers that one net
  -- alone has are there once more, with 4294967295
  seg_id INTEGER NOT NULL,
  position INTEGER NOT NULL,   -- counts the layers of a task from 0
  layer_id INTEGER,            -- the number of the layer in the model
  name TEXT, type TEXT,        -- of a task of the AI CPU: the operator of its net
  ori TEXT,                    -- the original name, or several joined with ','
  PRIMARY KEY(net_id, task_id, seg_id, position)
) WITHOUT ROWID;

-- The layers of each task in one row, joined with ','. A name with a comma is not quoted: use layer when that matters.
CREATE TABLE op(
  net_id INTEGER NOT NULL, task_id INTEGER NOT NULL, seg_id INTEGER NOT NULL, -- as in layer
  layer_count INTEGER NOT NULL, -- how many
  -- aligned: a missing value of one layer becomes `N/A`, and the column is NULL if all layers lack the value
  layer_ids NUMERIC, names TEXT, types TEXT,
  oris TEXT,                   -- the original names that exist
  PRIMARY KEY(net_id, task_id, seg_id)
) WITHOUT ROWID;

-- The lines of `board_stats.txt`. Empty after the import: the tables below say the same.
CREATE TABLE board_line(
  -- of the line that begins a sample
  phase TEXT, uptime_s INTEGER, uptime_cs INTEGER, wall_s INTEGER,
  -- of the lines that begin a text, tell a temperature, tell a text that was left out, and tell the version
  text_name TEXT, zone INTEGER, millidegree INTEGER, zone_type TEXT, left_name TEXT, version INTEGER,
  -- of the line of all processors in `/proc/stat`, in ticks
  cpu_user INTEGER, cpu_nice INTEGER, cpu_system INTEGER, cpu_idle INTEGER, cpu_iowait INTEGER, cpu_irq INTEGER, cpu_softirq INTEGER,
    cpu_steal INTEGER,
  -- of the line of the program in `/proc/PID/stat`, in ticks
  program_pid INTEGER, program_user INTEGER, program_system INTEGER, children_user INTEGER, children_system INTEGER,
  line TEXT                    -- any other line
);

-- The `series` of the layouts: what numbers of texts mean. The first that fits counts.
CREATE TABLE text_series(
  layout TEXT, place INTEGER,  -- the layout, and the place of the statement in it
  text TEXT, title TEXT,       -- patterns of the text and of the title
  use TEXT,                    -- npu, aiisp, memory, video, or none (ignored)
  kind TEXT                    -- level (the number as it is), percent, kb or mb
);

-- The samples of the board. Ticks are those of the kernel since its start.
CREATE TABLE board_sample(
  id INTEGER PRIMARY KEY,      -- other tables name it sample_id
  phase TEXT,                  -- before, run or after
  uptime_ns INTEGER,           -- since the start of the board
  wall_s INTEGER,              -- s since 1970
  time_ns INTEGER,             -- on the axis of the calls
  load REAL,                   -- the mean load of the last minute
  busy_ticks INTEGER, total_ticks INTEGER, -- of all processors
  program_ticks INTEGER,       -- of the program and what it started; NULL where it is not there
  total_kb INTEGER, free_kb INTEGER, available_kb INTEGER, -- of memory
  program_kb INTEGER           -- memory of the program
);

-- Temperatures.
CREATE TABLE board_heat(
  sample_id INTEGER,           -- the row of board_sample
  zone INTEGER, type TEXT,     -- the zone, and what it is called; NULL without a name
  millidegree INTEGER          -- thousandths of a degree Celsius
);

-- Numbers of texts below `/proc/umap`, at most 1,000.
CREATE TABLE board_series(
  id INTEGER PRIMARY KEY,      -- board_value names it series_id
  text TEXT, section TEXT, title TEXT, row INTEGER, -- where it is: its text, the section there, the title and the number of the row
  use TEXT, kind TEXT,         -- as in text_series
  moved_before INTEGER,        -- 1: the number changed between the two samples before the run
  moved INTEGER                -- 1: it changed during the run
);

-- The values of the numbers of texts.
CREATE TABLE board_value(
  sample_id INTEGER, series_id INTEGER, -- the rows of board_sample and board_series
  value,                       -- the number
  PRIMARY KEY(sample_id, series_id)
) WITHOUT ROWID;

INSERT INTO record_table VALUES ('board_line'), ('aicore_task'), ('aicpu_task'), ('api_call'), ('cont_step'), ('layer_item'), ('net_item');
