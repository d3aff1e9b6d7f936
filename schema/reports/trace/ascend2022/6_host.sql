-- @process Host
-- @thread Thread {track}
-- @use ascend2022_chosen
-- @each
SELECT c.*, t.device_id, t.place AS _place, t.device_id > min(t.device_id) OVER (PARTITION BY t.place) AS _own
FROM chosen c CROSS JOIN device_track t WHERE t.place < 7{device t.device_id}
-- @use ascend2022_host
-- @rows
SELECT place AS layer, pid AS process, tid AS track, name, start_ns, dur_ns, kind AS "args.Element", category AS "args.Category",
  payload_type AS "args.Payload_type", payload_value AS "args.Payload_value", message_type AS "args.Message_type", nullif(event_type, '') AS "args.event_type",
  nullif(model, '') AS "args.Model Name", model_id AS "args.Model Id", bytes AS "args.data size(byte)", CASE WHEN bytes THEN direction END AS "args.memcpy direction",
  stream_id AS "args.stream id", nullif(tasks, '') AS "args.task id", process || ', process ' || pid AS _process
FROM host_event WHERE start_ns > :_from_ns AND start_ns <= :_to_ns{range host start_ns; start_ns + dur_ns}
