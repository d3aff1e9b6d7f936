-- @process Communication, NPU {process}
-- @thread Communication
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns, _want_cann, _from_ns = -9223372036854775808 AND _to_ns = 9223372036854775807 AS _whole FROM stamp WHERE _want_communication
-- @use prof_comm
-- @rows
SELECT 16 AS layer, o.device_id AS process, g.track AS track, o.name AS name, o.start_ns + :_wall AS start_ns, o.end_ns - o.start_ns AS dur_ns,
  CASE WHEN :_want_cann AND (:_whole
    OR word('api', 'start_ns', o.connection_id) > :_from_ns AND word('api', 'start_ns', o.connection_id) <= :_to_ns)
    {range host word('api', 'start_ns', o.connection_id); word('api', 'start_ns', o.connection_id) + word('api', 'dur_ns', o.connection_id)} THEN o.connection_id END AS launch,
  o.rank_size AS "args.rank_size", o.connection_id AS "args.connection_id", o.model_id AS "args.model id",
  (SELECT name FROM hccl_kind WHERE what = 'data' AND kind = coalesce(o.data_type, 65534)) AS "args.data_type",
  coalesce((SELECT name FROM name n WHERE n.hash = o.alg_type), printf('%u', o.alg_type)) AS "args.alg_type", o.count AS "args.count", t.name AS _thread
FROM comm_op o CROSS JOIN comm_track g ON g.device_id = o.device_id AND g.step_group IS o.group_name AND g.on_aicpu = o.on_aicpu
LEFT JOIN comm_thread t ON t.device_id = o.device_id AND t.track = g.track
WHERE o.start_ns IS NOT NULL AND o.end_ns > :_from_ns AND o.end_ns <= :_to_ns{range device o.start_ns; o.end_ns}{device o.device_id}
