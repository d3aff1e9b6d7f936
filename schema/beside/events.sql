-- What is compared with the traces of another tool: the events of one, ours and theirs, with what came of all.
CREATE TEMP TABLE event(ours INTEGER, what TEXT, name TEXT, start_ns INTEGER, dur_ns INTEGER);
CREATE TEMP TABLE event_file(file TEXT, start_slack_ns REAL, dur_slack_ns REAL);
CREATE TEMP TABLE event_kind(what TEXT PRIMARY KEY, about TEXT, ours INTEGER, theirs INTEGER, start_ns INTEGER) WITHOUT ROWID;
CREATE TEMP TABLE event_pair(what TEXT, about TEXT, number INTEGER, name TEXT, their_name TEXT, start_ns INTEGER, their_start_ns INTEGER, dur_ns INTEGER, their_dur_ns INTEGER);
CREATE TEMP TABLE event_shift(shift INTEGER, first_ns INTEGER);
CREATE TEMP TABLE event_compared(about TEXT, start_ns INTEGER, cells INTEGER, failed INTEGER, found TEXT);
CREATE TEMP TABLE trace_check(name TEXT, about TEXT, checked INTEGER, failed INTEGER, file TEXT, found TEXT);
