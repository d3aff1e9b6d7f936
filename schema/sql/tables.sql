-- The tables of every msprof.db, whatever the family of its job. Those of a family are in its folder. Schema version 5.
-- A row of a record table belongs to the source with the rowid in its range first_row to last_row.
--
-- Shared columns:
-- * device_id: the number of the device; NULL for the host, and where no file tells it
-- * stream_id, task_id: the stream of the device, and the task in it
-- * batch_id: how often the numbers of the tasks of the stream had begun again
-- * context_id: the context of a sub-task in its task; 4294967295 for none
-- * model_id: the number of the model
-- * connection_id: the call that it belongs to, as api numbers it
-- * source_id: the row of source
-- * thread_id, tid: the thread, as the kernel numbers it
-- * pid, process_id: the process
-- * start_ns, dur_ns: the begin in ns, and how long it took; NULL where the frequency of the clock is unknown
-- * time_ns: the time in ns
-- * start_counter, end_counter, counter: a count of the clock of the device, of which the ns are made
-- * total_cycles: cycles of the core
-- * pmu0…9: counters of a core; settings of the device tell which events they count

-- Facts about the import and the job as a whole.
CREATE TABLE meta(
  key TEXT PRIMARY KEY,        -- its name: [SCHEMA.md](SCHEMA.md#the-database-as-a-whole) has all
  value                        -- a text or a number
) WITHOUT ROWID;

-- A row for each file of `data/`, raw or not, and for each `info.json.N` and `host_start.log.N`. A raw file that several inferences
-- share (Hi3519DV500, Hi3516CV610) has a row for each of them, with its records.
CREATE TABLE source(
  id INTEGER PRIMARY KEY,      -- other tables name it source_id
  file TEXT NOT NULL,          -- path within the job, such as `data/aicore.0.resnet50.46.1.1.0`
  size INTEGER NOT NULL,       -- at import; 0 for an info file that is not a regular file
  mtime_ns INTEGER NOT NULL,   -- when it was last written, at import
  state TEXT NOT NULL,         -- raw, marker, info, unknown (no layout matches), unreadable; model: a model file of `--model`
  layout TEXT, layout_version INTEGER, -- the layout of the file, and its version
  verified INTEGER,            -- what the layout was compared with: 0 nothing, 1 real data, 2 files with known results of a reference tool, 3 tables of one board's own tool
  target TEXT,                 -- the table of its records
  device_id INTEGER,
  -- a fact in its name, or in that of its marker; NULL where the name has no such number
  model TEXT, model_id INTEGER,
  stream_id INTEGER,           -- of the tasks in the file; 0 where names of tasks have none
  batch INTEGER, input_pic_num INTEGER, -- facts in its name, copied and not interpreted
  current_pic INTEGER,         -- a fact in its name: how many pictures (steps) were put in before the inference that was sampled
  slice INTEGER,               -- a fact in its name: the piece of a file that was written in pieces
  records INTEGER NOT NULL DEFAULT 0, -- how many it has
  -- for raw files these three add up to size: of records, without a record but blank, of no record
  record_bytes INTEGER NOT NULL DEFAULT 0, blank_bytes INTEGER NOT NULL DEFAULT 0,
    damaged_bytes INTEGER NOT NULL DEFAULT 0,
  gaps INTEGER NOT NULL DEFAULT 0, -- jumps in its running numbers
  has_done INTEGER NOT NULL DEFAULT 0, -- 1: a `.done` marker exists
  first_row INTEGER, last_row INTEGER, -- rowids of its records in target; last_row is first_row − 1 for a file without records
  net_id INTEGER,              -- the row of `net` for its model
  remark TEXT                  -- why the file is unreadable or doubtful
);
CREATE INDEX source_by_file ON source(file);
CREATE INDEX source_with_gaps ON source(gaps) WHERE gaps > 0;
CREATE INDEX source_by_row ON source(target, first_row);
CREATE INDEX source_by_identity ON source(target, device_id, model_id, current_pic);

-- What the `.done` markers of raw files say: a row for each line KEY:VALUE.
CREATE TABLE marker_value(
  source_id INTEGER NOT NULL,  -- the row of source for the raw file
  key TEXT NOT NULL,           -- file_len, start_time, end_time (us since 1970), cache_hit, cache_mis, …
  value INTEGER                -- the number behind it
);
CREATE INDEX marker_value_by_source ON marker_value(source_id);

-- Bytes that belong to no record. A row with 0 bytes stands for an unusable information file.
CREATE TABLE damage(
  file TEXT NOT NULL, offset INTEGER NOT NULL, bytes INTEGER NOT NULL, -- where, and how many
  reason TEXT NOT NULL         -- why, in words
);

-- Jumps in the running numbers of records.
CREATE TABLE sequence_gap(
  file TEXT NOT NULL, offset INTEGER NOT NULL, -- the record after the jump
  expected INTEGER, found INTEGER -- the numbers that it should have, and has
);

-- What layouts say of their records, and how many records break it.
CREATE TABLE layout_rule(
  layout TEXT NOT NULL, target TEXT, -- the layout, and the table of its records
  name TEXT NOT NULL, says TEXT NOT NULL, -- the name of the rule, and the rule
  assumed INTEGER NOT NULL,    -- 1: it is about a place that the layout assumes
  records INTEGER NOT NULL, broken INTEGER NOT NULL, -- how many were looked at, and how many break it
  file TEXT                    -- the first one with such a record
);

-- What must be true of the data of a job, and whether it is: a row for each check that applies ([STANDING.md](STANDING.md)).
CREATE TABLE data_check(
  name TEXT NOT NULL,          -- of the check
  about TEXT NOT NULL,         -- the kind of data, as in standing
  weight TEXT NOT NULL,        -- what a failure means: contradiction, doubt; a proof means nothing when it fails
  says TEXT NOT NULL,          -- what must be true
  checked INTEGER NOT NULL, failed INTEGER NOT NULL, -- how many were looked at, and how many failed
  file TEXT, found TEXT        -- the first failure: where, and by how much
);

-- What each kind of data is worth.
CREATE TABLE standing(
  about TEXT PRIMARY KEY,      -- the kind of data
  place INTEGER NOT NULL,      -- the order in which kinds are told
  what TEXT NOT NULL,          -- in words
  standing TEXT,               -- proven, consistent, unproven or contradicted; NULL where the job has no such data
  checks INTEGER, failed INTEGER, -- how many applied, and how many failed
  reason TEXT                  -- why it is contradicted or unproven
) WITHOUT ROWID;

-- Notes for the user.
CREATE TABLE note(
  -- assumed (taken for granted), counters (their places in records are assumed), odd (kept unchanged), export (what exports leave out, a
  -- warning of each export), warning; and what makes exit status 3: missing, order (of records is unknown), lost (halves of tasks)
  kind TEXT NOT NULL,
  file TEXT,                   -- NULL for the job
  text TEXT NOT NULL           -- the note
);

-- Information files and clocks.
CREATE TABLE device(
  device_id INTEGER PRIMARY KEY,
  frequency_mhz INTEGER,       -- of the core: of the option or the info file
  counter_mhz INTEGER,         -- the counter of an Ascend chip
  counter_hz INTEGER, counter_at INTEGER, -- the same exactly, and what it had counted at host_monotonic_ns
  -- two clocks of the host at one moment: of `host_start.log.N`, of jobs of our recorder of `recorder.json.N`
  host_realtime_ns INTEGER, host_monotonic_ns INTEGER,
  collector TEXT,              -- what recorded the job, as `recorder.json.N` tells
  lost INTEGER,                -- records that it lost, as it tells there
  info TEXT,                   -- the whole text of `info.json.N`
  soc TEXT                     -- the system on a chip that info tells, such as `SS928`
);

-- The control files of Ascend jobs since 2022.
CREATE TABLE control(
  file TEXT NOT NULL,          -- path within the job
  device_id INTEGER,           -- NULL for files of the host or of all devices
  name TEXT NOT NULL,          -- of the file, without its number
  text TEXT                    -- the whole file; NULL if it is damaged
);

-- Starts without an end, and ends without a start.
CREATE TABLE unpaired(
  device_id INTEGER, stream_id INTEGER, task_id INTEGER, time_ns INTEGER,
  what TEXT NOT NULL           -- `start without an end`, `end without a start`
);

-- The tables that layouts may fill; the family adds its own. A layout with another table is refused.
CREATE TABLE record_table(
  name TEXT PRIMARY KEY        -- of the table
) WITHOUT ROWID;
