-- Time by operator type over the tasks of :device_id and :_step, rounded like in the reference.
WITH run AS (
  SELECT t.op_id, (t.end_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0
      - (t.start_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 AS ns
  FROM task t JOIN setting s ON s.device_id = t.device_id
  WHERE t.device_id = :device_id AND t.step_id IS :_step
), operator AS (
  SELECT (SELECT name FROM model_load l WHERE l.model_id = o.model_id) AS model, o.type, coalesce(o.task_type, 'AI_CORE') AS core,
    count(*) AS count, CASE WHEN count(ns) THEN rounded(total(ns), 3) END AS total, min(ns) AS shortest, max(ns) AS longest
  FROM run r LEFT JOIN op o ON o.id = r.op_id GROUP BY 1, 2, 3
), statistic AS (
  SELECT model, type, core, count, total, rounded(total / 1000.0, 6) AS total_us, rounded(shortest / 1000.0, 6) AS min_us,
    (CAST(total AS INTEGER) / count) / 1000.0 AS avg_us, rounded(longest / 1000.0, 6) AS max_us,
    rounded(100.0 * total / total(total) OVER (PARTITION BY model), 6) AS ratio
  FROM operator
)
