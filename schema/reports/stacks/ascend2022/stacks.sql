-- @file stacks
-- @process Host
-- @thread Thread {tid}
-- @recorded tid, start_ns + dur_ns DESC, start_ns
-- @each
SELECT 1 WHERE EXISTS (SELECT 1 FROM api_call) OR EXISTS (SELECT 1 FROM runtime_api)
-- @rows
SELECT * FROM (
  SELECT 0 AS pid, tid, name, start_ns, dur_ns FROM api_call UNION ALL SELECT 0, thread_id, name, start_ns, dur_ns FROM runtime_api
) WHERE 1{range host start_ns; start_ns + dur_ns}
