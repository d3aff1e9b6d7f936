-- @process Communication, NPU {process}
-- @thread Plane
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns FROM stamp WHERE _want_communication
-- @use prof_comm
-- @rows
SELECT 16 AS layer, s.device_id AS process, s.track AS track, s.name AS name, s.start_ns + :_wall AS start_ns, s.dur_ns AS dur_ns,
  s.notify_id AS "args.notify_id", double_of(s.estimate) AS "args.duration estimated(us)", s.stream_id AS "args.stream id", s.task_id AS "args.task id",
  s.local_rank AS "args.src rank", s.remote_rank AS "args.dst rank",
  (SELECT name FROM hccl_kind WHERE what = 'transport' AND kind = min(s.transport_type, 65535)) AS "args.transport type", s.size AS "args.size(Byte)",
  (SELECT name FROM hccl_kind WHERE what = 'data' AND kind = min(s.data_type, 65535)) AS "args.data type",
  (SELECT name FROM hccl_kind WHERE what = 'link' AND kind = min(s.link_type, 65535)) AS "args.link type",
  s.bandwidth AS "args.bandwidth(GB/s)", s.model_id AS "args.model id", t.name AS _thread
FROM comm_step s LEFT JOIN comm_thread t ON t.device_id = s.device_id AND t.track = s.track
WHERE s.start_ns + s.dur_ns > :_from_ns AND s.start_ns + s.dur_ns <= :_to_ns{range device s.start_ns; s.start_ns + s.dur_ns}{device s.device_id}
