-- The calls of all threads, in order of their start.
-- @each
SELECT 1 AS _any
-- @rows
SELECT start_ns, start_ns + dur_ns AS end_ns FROM api_call WHERE start_ns IS NOT NULL
UNION ALL
SELECT start_ns, start_ns + dur_ns FROM runtime_api WHERE start_ns IS NOT NULL ORDER BY 1
