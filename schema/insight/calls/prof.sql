-- The calls of all threads, in order of their start.
-- @each
SELECT 1 AS _any
-- @rows
SELECT start_ns, start_ns + dur_ns AS end_ns FROM api ORDER BY connection_id
