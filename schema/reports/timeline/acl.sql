-- @family svp
-- @style any
-- @file acl_{device_id}.{model}.{model_id}.{batch}
-- @process ACL, process {pid}
-- @thread Thread {tid}
-- @recorded _source DESC, _row DESC
-- @each
SELECT s.device_id, s.model, s.model_id,
  coalesce(n.batch,
    (SELECT max(a.batch) FROM source a
     WHERE a.target = 'aicore_task' AND a.device_id = s.device_id AND a.model_id IS s.model_id
       AND a.model IS s.model), 1) AS batch
FROM source s LEFT JOIN net n ON n.id = s.net_id
WHERE s.target = 'api_call' AND s.records > 0
GROUP BY s.device_id, s.model, s.model_id
-- @rows
SELECT pid, tid, name, start_ns, dur_ns, type AS "Mode", pid AS "Process Id", tid AS "Thread Id",
  source_id AS _source, row AS _row
FROM api_calls
WHERE device_id = :device_id AND model IS :model AND model_id IS :model_id
