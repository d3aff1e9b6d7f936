-- Calls of the host, whose clock is not that of the tasks.
-- @family svp
-- @style any
-- @form host
-- @process Host
-- @thread Thread {track}
-- @each
SELECT 1 AS clock
-- @rows
SELECT rowid AS row, tid AS track, name AS k1, NULL AS k2, NULL AS k3, start_ns, dur_ns FROM api_call
