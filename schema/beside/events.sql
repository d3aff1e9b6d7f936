-- What is compared with the traces of another tool: the events of one, ours and theirs, with what came of all.
CREATE TEMP TABLE event(ours INTEGER, what TEXT, name TEXT, start_ns INTEGER, dur_ns INTEGER);
CREATE TEMP TABLE event_file(file TEXT, start_slack_ns REAL, dur_slack_ns REAL);
CREATE TEMP TABLE event_kind(what TEXT PRIMARY KEY, about TEXT, ours INTEGER, theirs INTEGER, start_ns INTEGER) WITHOUT ROWID;
CREATE TEMP TABLE event_pair(what TEXT, about TEXT, number INTEGER, name TEXT, their_name TEXT, start_ns INTEGER, their_start_ns INTEGER, dur_ns INTEGER, their_dur_ns INTEGER);
CREATE TEMP TABLE event_shift(shift INTEGER, first_ns INTEGER);
CREATE TEMP TABLE trace_check(name TEXT, about TEXT, checked INTEGER, failed INTEGER, file TEXT, found TEXT);
CREATE TEMP VIEW event_verdict AS
SELECT p.*, h.shift, h.first_ns, their_dur_ns - dur_ns NOT BETWEEN -f.dur_slack_ns AND f.dur_slack_ns AS longer,
  their_start_ns - start_ns - h.shift NOT BETWEEN -f.start_slack_ns AND f.start_slack_ns AS later,
  NOT (name = their_name OR substr(their_name, -1) = '~' AND substr(name, 1, length(their_name) - 1) = substr(their_name, 1, length(their_name) - 1)) AS renamed
FROM event_pair p CROSS JOIN event_shift h CROSS JOIN event_file f;
