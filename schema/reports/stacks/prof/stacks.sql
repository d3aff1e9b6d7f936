-- @file stacks
-- @process CANN
-- @thread Thread {tid}
-- @recorded tid, start_ns + dur_ns DESC, start_ns
-- @each
SELECT 1 WHERE EXISTS (SELECT 1 FROM api)
-- @use prof_api
-- @rows
SELECT 0 AS pid, thread_id AS tid, title AS name, start_ns, dur_ns FROM call WHERE 1{range host start_ns; start_ns + dur_ns}
