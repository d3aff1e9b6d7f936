-- Time by operator type over the tasks of :device_id and :_step, rounded like in the reference: averages of whole ns are whole. Without
-- iterations a type is that of all models.
, operator AS (
  SELECT CASE WHEN :_step IS NOT NULL THEN (SELECT name FROM model_load l WHERE l.model_id = run.model_id) END AS model, op_hash, max(op_type) AS op_type, type AS core,
    count(*) AS count, float_sum(dur) AS ns, max(dur <> CAST(dur AS INTEGER)) AS has_parts, min(dur) AS shortest, max(dur) AS longest
  FROM run WHERE described GROUP BY 1, op_hash, core
), statistic AS (
  SELECT model, op_hash, op_type, core, count, rounded(ns, 6) AS total, rounded(ns, 6) / 1000.0 AS total_us, rounded(shortest, 6) / 1000.0 AS min_us,
    CASE WHEN has_parts THEN rounded(ns / count, 6) ELSE CAST(ns AS INTEGER) / count END / 1000.0 AS avg_us,
    rounded(longest, 6) AS longest, rounded(longest, 6) / 1000.0 AS max_us,
    rounded(ns / total(ns) OVER (PARTITION BY model) * 100, 6) AS ratio
  FROM operator
)
