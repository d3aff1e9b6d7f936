-- @form array
-- @use prof_stamp
-- @each
SELECT time, _wall, _pid, _old, _chosen, _chosen AS _alone FROM stamp WHERE EXISTS (SELECT 1 FROM step)
-- @use prof_steps
-- @rows
SELECT "name", "pid", "tid", "ts", "dur", "ph", "cat", "id", "args.Iteration ID", "args.FP Start", "args.BP End", "args.Iteration End",
  "args.Iteration Time(us)", "args.FP_BP Time(us)", "args.Iteration Refresh(us)", "args.Data_aug Bound(us)"
FROM step_event WHERE 1{range device start_ns; end_ns}{device nullif("pid" & 31, 31)} ORDER BY place
-- @use prof_steps
-- @layer
SELECT * FROM step_track WHERE 1{device nullif("pid" & 31, 31)}
-- @use prof_steps
-- @layer
SELECT "name", "pid", "tid", "ts", "dur", "ph", "cat", "args.Iteration ID", "args.Reduce Start #", "args.Reduce End #", _number
FROM reduce_event WHERE 1{range device start_ns; end_ns}{device nullif("pid" & 31, 31)}
-- @use prof_steps
-- @layer
SELECT "name", "pid", "tid", "ts", "dur", "ph", "cat", "args.GetNext Start", "args.GetNext End", "args.GetNext Time(us)"
FROM next_event WHERE 1{range device start_ns; end_ns}{device nullif("pid" & 31, 31)}
