-- @family svp
-- @title Host call around an inference
-- @needs tasks calls
-- @later
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM temp.host_call WHERE launches > 0)
-- @rows
SELECT g.title AS "Model", h.calls AS "Calls", decimal(h.total_ns, 1000 * h.calls, 3) AS "Call(us)", decimal(h.span_ns, 1000 * h.calls, 3) AS "Inference(us)",
  decimal(h.total_ns - h.span_ns, 1000 * h.calls, 3) AS "Around(us)", decimal(100 * (h.total_ns - h.span_ns), h.total_ns, 2) AS "Around(%)",
  decimal(h.launch_ns, 1000 * h.launches, 3) AS "From call to first task(us)"
FROM temp.host_call h JOIN temp.step_group g ON g.id = h.grp WHERE h.launches > 0 ORDER BY h.grp
-- @why
SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM temp.step) THEN coalesce((SELECT text FROM temp.no_step WHERE EXISTS (SELECT 1 FROM temp.left_out)), 'no inference')
  WHEN NOT EXISTS (SELECT 1 FROM meta WHERE key = 'one_clock') THEN 'device and host have clocks of their own'
  ELSE 'no call that executes a model was recorded before an inference of it' END
