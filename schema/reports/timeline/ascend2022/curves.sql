-- @family ascend2022
-- @style any
-- @form array
-- @file {_name}_{device_id}_{scope}
-- @use ascend2022_scope
-- @each
SELECT scope.*, column1 AS _place, column2 AS _name
FROM scope CROSS JOIN (VALUES (8, 'hbm', 'hbm'), (9, 'ddr', 'ddr'), (10, 'pcie', 'pcie'), (11, 'hccs', 'hccs'), (12, 'nic', 'nic'), (13, 'roce', 'roce'),
  (16, 'llc_read_write', 'llc'))
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = column3 AND s.device_id = scope.device_id AND s.records > 0)
  AND (column1 <> 16 OR EXISTS (SELECT 1 FROM setting c JOIN llc_event e ON e.mode = c.llc WHERE c.device_id = scope.device_id AND c.chip <> 0))
-- @use ascend2022_curves
-- @rows
SELECT DISTINCT 'process_name' AS name, curve.pid AS pid, 0 AS tid, process AS "args.name", 'M' AS ph FROM curve
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
FROM curve
