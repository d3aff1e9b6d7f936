-- @process NPU
-- @use ascend2022_chosen
-- @each
SELECT c.*, t.device_id, t.place AS _place, t.process || ', NPU ' || t.device_id AS _label
FROM chosen c CROSS JOIN device_track t WHERE t.place > 7{device t.device_id}
-- @use ascend2022_curves
-- @rows
SELECT DISTINCT 10 + place AS layer, :device_id AS process, name, CAST(round(ts * 1000.0) AS INTEGER) AS time_ns,
  CASE kind WHEN 'Read(MB/s)' THEN a END AS "value.Read(MB/s)",
  CASE kind WHEN 'Write(MB/s)' THEN a END AS "value.Write(MB/s)", CASE kind WHEN 'Throughput(MB/s)' THEN a END AS "value.Throughput(MB/s)",
  CASE kind WHEN 'Hit Rate(%)' THEN a END AS "value.Hit Rate(%)", CASE kind WHEN 'link' THEN a END AS "value.Tx", CASE kind WHEN 'link' THEN b END AS "value.Rx",
  CASE kind WHEN 'Tx(MB/s)' THEN a END AS "value.Tx(MB/s)", CASE kind WHEN 'Rx(MB/s)' THEN a END AS "value.Rx(MB/s)",
  CASE kind WHEN 'Tx' THEN a END AS "value.Tx Bandwidth Efficiency", CASE kind WHEN 'Tx' THEN b END AS "value.Tx Packets",
  CASE kind WHEN 'Tx' THEN c END AS "value.Tx Error Rate", CASE kind WHEN 'Tx' THEN d END AS "value.Tx Dropped Rate",
  CASE kind WHEN 'Rx' THEN a END AS "value.Rx Bandwidth Efficiency", CASE kind WHEN 'Rx' THEN b END AS "value.Rx Packets",
  CASE kind WHEN 'Rx' THEN c END AS "value.Rx Error Rate", CASE kind WHEN 'Rx' THEN d END AS "value.Rx Dropped Rate",
  :_label AS _process
FROM curve WHERE ts * 1000.0 > :_from_ns AND ts * 1000.0 <= :_to_ns{range device ts * 1000.0; ts * 1000.0}
