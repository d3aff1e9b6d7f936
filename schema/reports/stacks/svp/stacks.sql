-- @file stacks
-- @process ACL, process {pid}
-- @thread Thread {tid}
-- @recorded _row DESC
-- @each
SELECT 1 WHERE EXISTS (SELECT 1 FROM api_call)
-- @rows
SELECT pid, tid, name, start_ns, dur_ns, rowid AS _row FROM api_call WHERE 1{range host start_ns; start_ns + dur_ns}
