-- The time of the iterations that the user chose, from the end of the iteration before the first on, else all time: calls that begin in it,
-- and tasks that end in it, belong to it.
WITH moment AS (
  SELECT x.*, CAST(round((x.end_counter - s.device_counter) * 1000.0 / s.counter_mhz) AS INTEGER) + s.host_ns AS end_ns,
    CASE WHEN x.before_counter >= 0 THEN CAST(round((x.before_counter - s.device_counter) * 1000.0 / s.counter_mhz) AS INTEGER) + s.host_ns END AS before_ns
  FROM main.step x JOIN setting s ON s.device_id = x.device_id
), chosen AS (
  SELECT -9223372036854775808 AS _from_ns, 9223372036854775807 AS _to_ns FROM temp.choice WHERE NOT chosen OR NOT EXISTS (SELECT 1 FROM main.step)
  UNION ALL
  SELECT min(coalesce(m.before_ns, -9223372036854775808)), max(m.end_ns) FROM temp.choice c JOIN moment m ON m.model_id = coalesce(c.model_id, m.model_id)
    AND m.iteration BETWEEN c.iteration_id AND c.iteration_id + c.iteration_count - 1 WHERE c.chosen HAVING count(*)
)
