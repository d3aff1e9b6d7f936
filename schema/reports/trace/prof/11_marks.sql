-- @process Program
-- @thread Thread {track}
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns, _begin_ns FROM stamp WHERE _want_msproftx
-- @rows
SELECT 6 AS layer, 31 AS process, tid AS track, message AS name, start_ns + :_wall AS start_ns, dur_ns AS dur_ns, NULL AS caller,
  CAST(category AS TEXT) AS "args.Category", payload_type AS "args.Payload_type", payload_value AS "args.Payload_value", message_type AS "args.Message_type",
  CASE event_type WHEN 0 THEN 'marker' WHEN 1 THEN 'push/pop' WHEN 2 THEN 'start/end' WHEN 3 THEN 'marker_ex' ELSE event_type END AS "args.event_type",
  NULL AS "args.domain"
FROM msproftx WHERE info_type IS NOT 1 AND start_ns > :_from_ns AND start_ns <= :_to_ns AND start_ns >= :_begin_ns{range host start_ns; start_ns + dur_ns}
UNION ALL
SELECT 6, 31, tid, message, start_ns + :_wall, dur_ns, -1 - mark_id, NULL, NULL, NULL, NULL,
  CASE event_type WHEN 0 THEN 'marker' WHEN 1 THEN 'push/pop' WHEN 2 THEN 'start/end' WHEN 3 THEN 'marker_ex' ELSE event_type END, domain
FROM stream_mark WHERE start_ns > :_from_ns AND start_ns <= :_to_ns AND start_ns >= :_begin_ns{range host start_ns; start_ns + dur_ns}
