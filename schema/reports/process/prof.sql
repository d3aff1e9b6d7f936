-- @each
SELECT 1
-- @rows
SELECT 0 AS kind, tid AS thread_id, 0 AS start_ns, 0 AS dur_ns, name AS name, '' AS mode, '' AS domain FROM thread_name
UNION ALL
SELECT 1, tid, start_ns, dur_ns, message,
  CASE event_type WHEN 0 THEN 'marker' WHEN 1 THEN 'push/pop' WHEN 2 THEN 'start/end' WHEN 3 THEN 'marker_ex' ELSE event_type END, ''
FROM msproftx WHERE info_type IS NOT 1
UNION ALL
SELECT 1, tid, start_ns, dur_ns, message,
  CASE event_type WHEN 0 THEN 'marker' WHEN 1 THEN 'push/pop' WHEN 2 THEN 'start/end' WHEN 3 THEN 'marker_ex' ELSE event_type END, coalesce(domain, '')
FROM stream_mark
UNION ALL
SELECT 2, a.thread_id, a.start_ns, a.dur_ns, word('call_kind', 'item', a.level << 32 | a.type),
  CASE a.type >> 16 WHEN 1 THEN 'op' WHEN 2 THEN 'model' WHEN 3 THEN 'runtime' ELSE 'others' END, ''
FROM api a
