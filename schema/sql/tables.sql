-- The tables of every msprof.db, whatever the family of its job; docs/SCHEMA.md explains them.
-- The tables of a family are in its folder. Schema version 5.
-- A row of a record table belongs to the source with the rowid in its range first_row..last_row.

CREATE TABLE meta(
  key TEXT PRIMARY KEY,
  value
) WITHOUT ROWID;

-- One row for each file of the job, raw or not; a raw file that inferences share has one for each of them.
CREATE TABLE source(
  id INTEGER PRIMARY KEY,
  file TEXT NOT NULL,          -- relative to the job
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  state TEXT NOT NULL,         -- raw, marker, info, unknown, unreadable
  layout TEXT,
  layout_version INTEGER,
  verified INTEGER,            -- the layout was checked against: 0 nothing, 1 real data, 2 made-up data with known results, 3 tables of the board's tool
  target TEXT,                 -- the table its records went to
  device_id INTEGER,
  model TEXT,
  model_id INTEGER,
  stream_id INTEGER,           -- of the tasks in the file
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
CREATE INDEX source_by_row ON source(target, first_row);
CREATE INDEX source_by_identity ON source(target, device_id, model_id, current_pic);

-- What the .done markers of raw files say: a row for each line KEY:VALUE.
CREATE TABLE marker_value(source_id INTEGER NOT NULL, key TEXT NOT NULL, value INTEGER);
CREATE INDEX marker_value_by_source ON marker_value(source_id);

-- Damage: bytes that did not become records.
CREATE TABLE damage(file TEXT NOT NULL, offset INTEGER NOT NULL, bytes INTEGER NOT NULL, reason TEXT NOT NULL);

-- Places where a running number of records jumps.
CREATE TABLE sequence_gap(file TEXT NOT NULL, offset INTEGER NOT NULL, expected INTEGER, found INTEGER);

-- What layouts say of their records, and how many records break it. `assumed` is 1 where the rule is about a place that the layout assumes.
CREATE TABLE layout_rule(
  layout TEXT NOT NULL, target TEXT, name TEXT NOT NULL, says TEXT NOT NULL, assumed INTEGER NOT NULL,
  records INTEGER NOT NULL, broken INTEGER NOT NULL,
  file TEXT                    -- the first one with such a record
);

-- What must be true of the data of a job, and whether it is: a row for each check that applies; see docs/STANDING.md.
CREATE TABLE data_check(
  name TEXT NOT NULL,
  about TEXT NOT NULL,         -- the kind of data, as in standing
  weight TEXT NOT NULL,        -- what a failure means: contradiction, doubt; a proof means nothing when it fails
  says TEXT NOT NULL,          -- what must be true
  checked INTEGER NOT NULL, failed INTEGER NOT NULL,
  file TEXT, found TEXT        -- the first failure: where, and by how much
);

-- What each kind of data is worth: proven, consistent, unproven or contradicted.
CREATE TABLE standing(
  about TEXT PRIMARY KEY,
  place INTEGER NOT NULL,      -- the order in which kinds are told
  what TEXT NOT NULL,          -- in words
  standing TEXT, checks INTEGER, failed INTEGER,
  reason TEXT                  -- why it is contradicted or unproven
) WITHOUT ROWID;

-- Notes for the user. kind is assumed, counters (their places in records are assumed), odd (kept unchanged), warning, or missing (which makes
-- exit status 3).
CREATE TABLE note(kind TEXT NOT NULL, file TEXT, text TEXT NOT NULL);

CREATE TABLE device(
  device_id INTEGER PRIMARY KEY,
  frequency_mhz INTEGER,
  counter_mhz INTEGER,
  host_realtime_ns INTEGER,
  host_monotonic_ns INTEGER,
  collector TEXT,
  lost INTEGER,
  info TEXT,
  soc TEXT                     -- the system on a chip that info tells, such as SS928
);

-- The control files of Ascend jobs since 2022. device_id is NULL for files of the host or of all devices; text is NULL
-- for a damaged file.
CREATE TABLE control(file TEXT NOT NULL, device_id INTEGER, name TEXT NOT NULL, text TEXT);

-- Starts without an end, and ends without a start.
CREATE TABLE unpaired(
  device_id INTEGER, stream_id INTEGER, task_id INTEGER, time_ns INTEGER, what TEXT NOT NULL
);

-- The tables that layouts may fill; the family adds its own tables.
CREATE TABLE record_table(name TEXT PRIMARY KEY) WITHOUT ROWID;
