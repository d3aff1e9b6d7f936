-- @process Results
-- @thread Results
-- @each
SELECT 1
-- @rows
SELECT 1 AS layer, 0 AS process, 0 AS track, name AS name, start_ns AS start_ns, dur_ns AS dur_ns, events AS "args.Events" FROM process_result
