-- Calls of the host.
-- @form host
-- @process Host
-- @thread Thread {track}
-- @each
SELECT 0 AS clock
-- @rows
SELECT connection_id AS row, thread_id AS track, level AS k1, type AS k2, NULL AS k3, start_ns, dur_ns FROM api
