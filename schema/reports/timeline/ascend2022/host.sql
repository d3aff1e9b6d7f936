-- @form array
-- @file {_name}_{device_id}_{scope}
-- @use ascend2022_scope
-- @each
SELECT scope.*, t.place AS _place, t.file AS _name FROM scope JOIN device_track t ON t.device_id = scope.device_id AND t.place < 7
-- @use ascend2022_host
-- @use ascend2022_host_tracks
-- @rows
SELECT name, pid, tid, text AS "args.name", number AS "args.sort_index", 'M' AS ph FROM host_track ORDER BY n, host_track.pid, host_track.tid
-- @use ascend2022_host
-- @layer
SELECT name, pid, tid, start_ns / 1000.0 AS ts, max(dur_ns, 0) / 1000.0 AS dur, category AS "args.Category", payload_type AS "args.Payload_type",
  payload_value AS "args.Payload_value", message_type AS "args.Message_type", event_type AS "args.event_type", model AS "args.Model Name",
  model_id AS "args.Model Id", CASE place WHEN 6 THEN tid END AS "args.Thread Id",
  CASE WHEN direction IS NOT NULL THEN bytes || ' byte' END AS "args.data size", CASE WHEN bytes THEN direction END AS "args.memcpy direction",
  CASE WHEN direction IS NOT NULL AND bytes AND tasks <> '' THEN stream_id END AS "args.stream id",
  CASE WHEN direction IS NOT NULL AND bytes THEN nullif(tasks, '') END AS "args.task id", 'X' AS ph
FROM host_event WHERE 1{range host start_ns; start_ns + dur_ns}
