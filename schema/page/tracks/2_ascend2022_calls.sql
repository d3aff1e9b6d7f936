-- Calls of the host.
-- @form host
-- @process Host
-- @thread Thread {track}
-- @each
SELECT 0 AS clock
-- @rows
SELECT rowid AS row, tid AS track, name AS k1, NULL AS k2, NULL AS k3, start_ns, dur_ns FROM api_call
-- @layer
SELECT rowid AS row, thread_id AS track, name AS k1, NULL AS k2, NULL AS k3, start_ns, dur_ns FROM runtime_api
