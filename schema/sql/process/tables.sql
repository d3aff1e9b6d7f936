-- A private database that `msprof export timeline` makes for a process with several results. It has the tables of svp jobs, too.

-- The events of one process, gathered from its results. Several results may have the same event, which is one row.
-- Longer events come before shorter ones of the same start, which lie within them.
CREATE TABLE process_event(
  kind INTEGER,                -- 0 the name of a thread, 1 a mark or range, 2 a call
  thread_id INTEGER, start_ns INTEGER, dur_ns INTEGER,
  name TEXT,                   -- of the thread, mark, range or call
  mode TEXT, domain TEXT,      -- op, model, runtime or others of a call, else marker or range; the domain of a mark or range
  PRIMARY KEY(kind, thread_id, start_ns, dur_ns DESC, name, mode, domain)
) WITHOUT ROWID;

-- The results of the process.
CREATE TABLE process_result(
  name TEXT,                   -- of its directory
  start_ns INTEGER, dur_ns INTEGER,
  events INTEGER               -- how many it has
);
