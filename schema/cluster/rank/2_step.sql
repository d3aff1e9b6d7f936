-- Steps of each device. computing_ns, aicpu_ns, exposed_ns (communication that nothing overlaps) and free_ns add up to span_ns. bubble_ns is the time of receiving
-- operations, which lies in the others.
-- @family prof
-- @style any
-- @title step
-- @facts
-- @each
SELECT 1 AS _any
-- @rows
SELECT g.device_id, s.number, s.label, s.start_ns, s.span_ns,
  (SELECT coalesce(total_int(t.alone_ns), 0) FROM temp.window_time t WHERE t.window = s.id AND t.class IN (0, 1, 2, 5)) AS computing_ns,
  (SELECT coalesce(total_int(t.alone_ns), 0) FROM temp.window_time t WHERE t.window = s.id AND t.class = 3) AS aicpu_ns,
  (SELECT coalesce(total_int(t.own_ns), 0) FROM temp.window_time t WHERE t.window = s.id AND t.class = 4) AS communication_ns,
  (SELECT coalesce(total_int(t.alone_ns), 0) FROM temp.window_time t WHERE t.window = s.id AND t.class = 4) AS exposed_ns, s.idle_ns AS free_ns,
  (SELECT coalesce(total_int(min(o.end_ns, s.end_ns) - max(o.start_ns, s.start_ns)), 0) FROM comm_op o
   WHERE o.device_id = g.device_id AND o.name LIKE '%receive%' AND o.start_ns < s.end_ns AND o.end_ns > s.start_ns) AS bubble_ns
FROM temp.step s JOIN temp.step_group g ON g.id = s.grp ORDER BY g.device_id, s.number LIMIT 1000
