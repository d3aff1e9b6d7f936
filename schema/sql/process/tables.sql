-- The events of one process, gathered from its results (msprof export timeline). Several results may have the same event, which is one row.
-- Kinds: 0 the name of a thread, 1 a mark or range, 2 a call. Longer events come before shorter ones of the same start, which lie within them.
CREATE TABLE process_event(
  kind INTEGER, thread_id INTEGER, start_ns INTEGER, dur_ns INTEGER, name TEXT, mode TEXT, domain TEXT,
  PRIMARY KEY(kind, thread_id, start_ns, dur_ns DESC, name, mode, domain)
) WITHOUT ROWID;

CREATE TABLE process_result(name TEXT, start_ns INTEGER, dur_ns INTEGER, events INTEGER);
