-- The time of the iterations that the user chose, else all time. The step of main: temp.step has those of the advice.
WITH chosen AS (
  SELECT -9223372036854775808 AS _from_ns, 9223372036854775807 AS _to_ns FROM temp.choice WHERE NOT chosen OR NOT EXISTS (SELECT 1 FROM main.step)
  UNION ALL
  SELECT min(coalesce(s.before_ns, -9223372036854775808)), max(s.end_ns) FROM temp.choice c
  JOIN main.step s ON (c.model_id IS NULL OR s.model_id = c.model_id) AND (c.step IS NULL OR s.index_id = c.step)
  WHERE c.chosen HAVING count(*)
)
