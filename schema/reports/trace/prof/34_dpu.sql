-- @process CANN, DPU {process}
-- @thread Stream {track}
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns, _begin_ns FROM stamp WHERE NOT has_bit(_off, 8)
-- @rows
SELECT 8 AS layer, d.device_id AS process, d.stream_id AS track, d.name AS name, d.start_ns + :_wall AS start_ns, d.end_ns - d.start_ns AS dur_ns,
  d.thread_id AS "args.Thread Id", d.stream_id AS "args.Physic Stream Id", d.task_id AS "args.Task Id",
  CASE WHEN d.step IS NULL THEN 'AI_CPU' END AS "args.Task Type", op_word AS "args.OP Type", npu_id AS "args.AI CPU Device Id", aicpu_task_id AS "args.AI CPU Task Id",
  group_word AS "args.Group Name", plane_id AS "args.Plane Id", CASE WHEN d.step IS NOT NULL THEN printf('%u', notify_id) END AS "args.Notify Id", double_of(estimate) AS "args.Duration Estimated(us)",
  rank_size AS "args.Rank Size", local_rank AS "args.Src Rank", remote_rank AS "args.Dst Rank", transport_word AS "args.Transport Type", size AS "args.Size(Byte)",
  CASE WHEN d.step IS NOT NULL THEN CASE WHEN d.end_ns > d.start_ns AND size >= 0 THEN size * 1.0 / (d.end_ns - d.start_ns) ELSE 0.0 END END AS "args.Bandwidth(GB/s)",
  data_word AS "args.Data Type", link_word AS "args.Link Type", rdma_word AS "args.Rdma Type"
FROM dpu_task d LEFT JOIN dpu_step s ON s.step = d.step
WHERE d.start_ns >= :_begin_ns AND d.start_ns > :_from_ns AND d.start_ns <= :_to_ns{range host d.start_ns; d.end_ns}
