-- @process Ascend Hardware, NPU {process}
-- @thread Step Trace(Model ID:{_model})
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns FROM stamp WHERE _want_ascend
-- @rows
SELECT 14 AS layer, s.device_id AS process, -1 - s.model_id AS track, p.column2 || s.iteration AS name,
  pick(p.column1, s.start_ns, s.fp_ns, s.bp_ns) + :_wall AS start_ns, pick(p.column1, s.end_ns - s.start_ns, s.bp_ns - s.fp_ns, s.end_ns - s.bp_ns) AS dur_ns,
  s.iteration AS "args.Iteration ID", s.fp_ns + :_wall AS "args.FP Start(ns)", s.bp_ns + :_wall AS "args.BP End(ns)",
  CASE p.column1 WHEN 0 THEN (s.fp_ns - s.data_ns) / 1000.0 END AS "args.Data_aug Bound(us)", s.model_id AS _model, -1 - s.model_id AS _rank
FROM main.step s CROSS JOIN (VALUES (0, 'Iteration '), (1, 'FP_BP Time '), (2, 'Iteration Refresh ')) p
WHERE s.start_ns IS NOT NULL AND s.end_ns > :_from_ns AND s.end_ns <= :_to_ns AND (p.column1 = 0 OR s.fp_ns IS NOT NULL AND s.bp_ns IS NOT NULL)
  {range device s.start_ns; s.end_ns}{device s.device_id}
