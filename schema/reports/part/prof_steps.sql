-- Iterations: each ends with tag 1 (of a model that began with 0) or 4; 2 and 3 are FP and BP within it.
WITH tag AS (
  SELECT s.device_id, t.model_id, t.index_id, t.tag_id, t.time_ns FROM source s CROSS JOIN ts_step t
  WHERE s.target = 'ts_step' AND t.rowid BETWEEN s.first_row AND s.last_row
), ended AS (
  SELECT device_id, model_id, index_id, min(time_ns) FILTER (WHERE tag_id = 0) AS begun_ns, min(time_ns) FILTER (WHERE tag_id = 2) AS fp_ns,
    max(time_ns) FILTER (WHERE tag_id = 3) AS bp_ns, max(time_ns) FILTER (WHERE tag_id IN (1, 4)) AS end_ns
  FROM tag GROUP BY device_id, model_id, index_id HAVING end_ns IS NOT NULL
), step AS (
  SELECT device_id, model_id, index_id, row_number() OVER (PARTITION BY device_id ORDER BY coalesce(begun_ns, fp_ns, end_ns)) AS iteration, fp_ns, bp_ns, end_ns,
    lag(end_ns) OVER w AS before_ns, coalesce(begun_ns, lag(end_ns) OVER w, fp_ns) AS start_ns
  FROM ended WINDOW w AS (PARTITION BY device_id, model_id ORDER BY end_ns)
)
