-- @file acl_{device_id}.{model}.{model_id}.{batch}
-- @process ACL, process {pid}
-- @thread Thread {tid}
-- @needs calls
-- @recorded _row DESC
-- @each
SELECT s.device_id, s.model, s.model_id,
  coalesce(n.batch, 1) AS batch,
  min(s.first_row) AS _first, max(s.last_row) AS _last, total_int(s.records) AS _records -- files of one model are adjacent
FROM source s LEFT JOIN net n ON n.id = s.net_id
WHERE s.target = 'api_call' AND s.records > 0{device s.device_id}{model s.model_id}
GROUP BY s.device_id, s.model, s.model_id
-- @split api_call.rowid _first _last _records
-- @rows
SELECT pid, tid, name, start_ns, dur_ns,
  CASE type WHEN 1 THEN 'op' WHEN 2 THEN 'model' WHEN 3 THEN 'runtime' WHEN 4 THEN 'others'
            WHEN 5 THEN 'msproftx' ELSE CAST(type AS TEXT) END AS "Mode",
  pid AS "Process Id", tid AS "Thread Id", rowid AS _row
FROM api_call WHERE rowid BETWEEN :split_first AND :split_last AND rowid BETWEEN :_first AND :_last{range host start_ns; start_ns + dur_ns}
