-- @family svp
-- @style any
-- @title Host call around an inference
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM temp.host_call WHERE is_around)
-- @rows
SELECT g.title AS "Model", h.calls AS "Calls", decimal(h.total_ns, 1000 * h.calls, 3) AS "Call(us)", decimal(h.span_ns, 1000 * h.steps, 3) AS "Inference(us)",
  decimal(h.total_ns - h.span_ns, 1000 * h.calls, 3) AS "Around(us)"
FROM temp.host_call h JOIN temp.step_group g ON g.id = h.grp WHERE h.is_around ORDER BY h.grp
-- @why
SELECT CASE WHEN EXISTS (SELECT 1 FROM temp.host_call WHERE calls = steps) THEN 'the calls that execute take less time than the inferences: '
    ELSE 'device and host have clocks of their own, and the number of calls that execute is not that of inferences: ' END
  || coalesce((SELECT group_concat(coalesce(calls, 0) || CASE calls WHEN 1 THEN ' call, ' ELSE ' calls, ' END || steps
    || CASE steps WHEN 1 THEN ' inference' ELSE ' inferences' END, '; ') FROM temp.host_call), 'no inference')
