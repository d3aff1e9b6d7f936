-- Steps: inferences, iterations, or a collection as a whole. The parts add up to the span: what computed, what the AI CPU and communication did alone, and
-- idle time.
-- @title step
-- @family any
-- @style any
-- @types int? text? int text? int int int int int int
-- @each
SELECT 1 AS _one
-- @rows
SELECT s.device_id, g.title AS track, s.number, CAST(s.label AS TEXT) AS label, s.start_ns, s.span_ns,
  (SELECT coalesce(total_int(t.alone_ns), 0) FROM temp.window_time t WHERE t.window = s.id AND t.class IN (0, 1, 2, 5)) AS computing_ns,
  (SELECT coalesce(total_int(t.alone_ns), 0) FROM temp.window_time t WHERE t.window = s.id AND t.class = 3) AS aicpu_ns,
  (SELECT coalesce(total_int(t.alone_ns), 0) FROM temp.window_time t WHERE t.window = s.id AND t.class = 4) AS communication_ns, s.idle_ns
FROM temp.step s LEFT JOIN temp.step_group g ON g.id = s.grp ORDER BY s.grp, s.number
