-- Calls of the host. In databases before schema 4 their clock is not that of the tasks.
-- @form host
-- @process Host
-- @thread Thread {track}
-- @each
SELECT NOT EXISTS (SELECT 1 FROM meta WHERE key = 'one_clock') AS clock
-- @rows
SELECT rowid AS row, tid AS track, name AS k1, NULL AS k2, NULL AS k3, start_ns, dur_ns FROM api_call
