-- @form array
-- @file {_name}_{device_id}_{scope}
-- @use ascend2022_scope
-- @each
SELECT scope.*, t.place AS _place, t.process AS _process, t.pid AS _pid, t.file AS _name
FROM scope JOIN device_track t ON t.device_id = scope.device_id AND t.place > 7
-- @rows
SELECT 'process_name' AS name, :_pid AS pid, 0 AS tid, :_process AS "args.name", 'M' AS ph
-- @use ascend2022_curves
-- @layer
SELECT name, ts, pid, 0 AS tid, CASE kind WHEN 'Read(MB/s)' THEN a END AS "args.Read(MB/s)",
  CASE kind WHEN 'Write(MB/s)' THEN a END AS "args.Write(MB/s)", CASE kind WHEN 'Throughput(MB/s)' THEN a END AS "args.Throughput(MB/s)",
  CASE kind WHEN 'Hit Rate(%)' THEN a END AS "args.Hit Rate(%)", CASE kind WHEN 'link' THEN a END AS "args.Tx", CASE kind WHEN 'link' THEN b END AS "args.Rx",
  CASE kind WHEN 'Tx(MB/s)' THEN a END AS "args.Tx(MB/s)", CASE kind WHEN 'Rx(MB/s)' THEN a END AS "args.Rx(MB/s)",
  CASE kind WHEN 'Tx' THEN a END AS "args.Tx Bandwidth Efficiency", CASE kind WHEN 'Tx' THEN b END AS "args.Tx Packets",
  CASE kind WHEN 'Tx' THEN c END AS "args.Tx Error Rate", CASE kind WHEN 'Tx' THEN d END AS "args.Tx Dropped Rate",
  CASE kind WHEN 'Rx' THEN a END AS "args.Rx Bandwidth Efficiency", CASE kind WHEN 'Rx' THEN b END AS "args.Rx Packets",
  CASE kind WHEN 'Rx' THEN c END AS "args.Rx Error Rate", CASE kind WHEN 'Rx' THEN d END AS "args.Rx Dropped Rate", 'C' AS ph
FROM curve WHERE 1{range device ts * 1000.0; ts * 1000.0}
