-- @process Marks and ranges
-- @thread Thread {track}
-- @started thread_id, e.start_ns, e.dur_ns DESC
-- @each
SELECT 1
-- @rows
SELECT 2 AS layer, 0 AS process, e.thread_id AS track, e.name AS name, e.start_ns AS start_ns, e.dur_ns AS dur_ns, e.mode AS "args.event_type",
  nullif(e.domain, '') AS "args.domain", 'Thread ' || e.thread_id || coalesce(' ' || (SELECT max(t.name) FROM process_event t WHERE t.kind = 0 AND t.thread_id = e.thread_id), '') AS _thread
FROM process_event e WHERE e.kind = 1
