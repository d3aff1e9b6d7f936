-- Time by operator type over the tasks of :device_id, rounded like in the 2022 generation.
WITH operator AS (
  SELECT o.type, count(*) AS count, total_int(t.dur_ns) AS total, min(t.dur_ns) AS shortest, max(t.dur_ns) AS longest
  FROM hwts_task t LEFT JOIN hwts_op o ON o.id = t.hwts_op_id
  WHERE t.device_id = :device_id GROUP BY o.type
)
SELECT type AS "OP Type", 'AI_CORE' AS "Core Type", count AS "Count", total / 1000.0 AS "Total Time(us)",
  shortest / 1000.0 AS "Min Time(us)", (total / count) / 1000.0 AS "Avg Time(us)", longest / 1000.0 AS "Max Time(us)",
  round(100.0 * total / (SELECT total_int(total) FROM operator), 6) AS "Ratio(%)"
FROM operator ORDER BY total DESC, type
