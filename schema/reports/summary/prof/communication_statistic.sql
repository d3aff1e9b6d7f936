-- @use prof_stamp
-- @each
SELECT time, _old FROM stamp WHERE EXISTS (SELECT 1 FROM comm_op WHERE op_type IS NOT NULL AND start_ns IS NOT NULL AND NOT on_aicpu)
  AND NOT EXISTS (SELECT 1 FROM control WHERE name = 'sample.json' AND device_id IS NULL
    AND coalesce(json_extract(text, '$.profLevel'), json_extract(text, '$.prof_level')) IN ('l0', 'level0'))
-- @tally
SELECT o.device_id, o.op_type, 0 AS what, max(t.start_ns + t.dur_ns) - min(t.start_ns) AS value
FROM comm_task c CROSS JOIN task t ON t.id = c.id CROSS JOIN comm_op o ON o.id = c.op_id
WHERE c.is_master AND NOT c.on_aicpu AND t.start_ns >= coalesce((SELECT value FROM meta WHERE key = 'begin_ns'), 0) AND o.end_ns IS NOT NULL
GROUP BY o.device_id, o.name, c.connection_id, o.op_type
-- @rows
WITH sums AS (
  SELECT k1 AS device_id, k2 AS op_type, total_int(count) AS count, total_int(total) AS total, min(shortest) AS shortest, max(longest) AS longest
  FROM tally GROUP BY k1, k2
), whole AS (
  SELECT device_id, total_int(total) AS total FROM sums GROUP BY device_id
), first AS (
  SELECT device_id, op_type, min(start_ns) AS start_ns FROM comm_op GROUP BY device_id, op_type
)
SELECT s.device_id AS "Device_id", CASE WHEN s.op_type IS NULL THEN 'N/A' ELSE coalesce(word('name', 'name', s.op_type), printf('%u', s.op_type)) END AS "OP Type", count AS "Count",
  CASE WHEN :_old THEN repr(1.0 * trimmed(total / 1000.0)) ELSE trimmed(total / 1000.0) END AS "Total Time(us)",
  CASE WHEN :_old THEN repr(1.0 * trimmed(shortest / 1000.0)) ELSE trimmed(shortest / 1000.0) END AS "Min Time(us)",
  CASE WHEN :_old THEN repr(1.0 * trimmed(total / 1000.0 / count)) ELSE trimmed(total / 1000.0 / count) END AS "Avg Time(us)",
  CASE WHEN :_old THEN repr(1.0 * trimmed(longest / 1000.0)) ELSE trimmed(longest / 1000.0) END AS "Max Time(us)",
  CASE WHEN :_old THEN repr(1.0 * ratio) ELSE ratio END AS "Ratio(%)"
FROM (SELECT b.*, trimmed(100.0 * b.total / nullif(w.total, 0)) AS ratio FROM sums b LEFT JOIN whole w ON w.device_id = b.device_id) s
LEFT JOIN first f ON f.device_id = s.device_id AND f.op_type IS s.op_type LEFT JOIN comm_type y ON y.device_id = s.device_id AND y.op_type IS s.op_type
ORDER BY CASE WHEN :_old THEN s.device_id END, total DESC, s.device_id DESC, CASE WHEN :_old THEN f.start_ns ELSE y.place END
