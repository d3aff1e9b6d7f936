-- The tally of operator_tasks as rows of op_statistic.
WITH operator AS (
  SELECT k1 AS type, k2 AS stream_id, k3 AS unit, total_int(total) AS total, total_int(count) AS count,
    max(longest) AS longest, min(shortest) AS shortest
  FROM tally GROUP BY k1, k2, k3
), ranked AS (
  SELECT row_number() OVER (ORDER BY type IS NULL, type, stream_id, unit) - 1 AS number, type, stream_id,
    CASE :style WHEN 'vendor' THEN 'AI_' ELSE 'AA_' END || unit AS task_type,
    decimal(total * 100, (SELECT total_int(total) FROM operator), 2) AS ratio,
    decimal(total, :_rate, 2) AS total_us, count,
    decimal(total, count * :_rate, 4) AS avg_us,
    decimal(longest, :_rate, 2) AS max_us, decimal(shortest, :_rate, 2) AS min_us
  FROM operator ORDER BY number
)
