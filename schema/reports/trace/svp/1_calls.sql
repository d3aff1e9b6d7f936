-- @process ACL, process {process}
-- @thread Thread {track}
-- @recorded _row DESC
-- @each
SELECT 1 WHERE EXISTS (SELECT 1 FROM api_call)
-- @split api_call.rowid
-- @rows
SELECT 1 AS layer, pid AS process, tid AS track, name, start_ns, dur_ns,
  CASE type WHEN 1 THEN 'op' WHEN 2 THEN 'model' WHEN 3 THEN 'runtime' WHEN 4 THEN 'others'
            WHEN 5 THEN 'msproftx' ELSE CAST(type AS TEXT) END AS "args.Mode",
  CASE type WHEN 5 THEN detail END AS "args.Domain", CASE type WHEN 1 THEN detail END AS "args.OP Type", rowid AS _row
FROM api_call WHERE rowid BETWEEN :split_first AND :split_last{range host start_ns; start_ns + dur_ns}
  {device (SELECT s.device_id FROM source s WHERE s.target = 'api_call' AND api_call.rowid BETWEEN s.first_row AND s.last_row)}
  {model (SELECT s.model_id FROM source s WHERE s.target = 'api_call' AND api_call.rowid BETWEEN s.first_row AND s.last_row)}
