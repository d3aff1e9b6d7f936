-- @process AscendCL, process {process}
-- @thread Thread {track}
-- @recorded _row DESC
-- @use ascend2022_chosen
-- @each
SELECT * FROM chosen
-- @split api_call.rowid
-- @rows
SELECT 2 AS layer, pid AS process, tid AS track, name, start_ns, dur_ns, rowid AS caller,
  CASE type WHEN 1 THEN 'ACL_OP' WHEN 2 THEN 'ACL_MODEL' WHEN 3 THEN 'ACL_RTS' WHEN 4 THEN 'ACL_OTHERS' ELSE CAST(type AS TEXT) END AS "args.Mode", rowid AS _row
FROM api_call WHERE rowid BETWEEN :split_first AND :split_last AND start_ns > :_from_ns AND start_ns <= :_to_ns{range host start_ns; start_ns + dur_ns}
  {device (SELECT s.device_id FROM source s WHERE s.target = 'api_call' AND api_call.rowid BETWEEN s.first_row AND s.last_row)}
