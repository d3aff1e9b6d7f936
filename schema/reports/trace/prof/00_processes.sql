-- The processes of the host come first, though arrows need the tasks before the calls.
-- @use prof_stamp
-- @each
SELECT _want_msproftx, _want_cann FROM stamp
-- @rows
SELECT 6 AS layer, 31 AS process, coalesce((SELECT json_extract(text, '$.pid_name') FROM control WHERE name = 'info.json' AND text IS NOT NULL
  ORDER BY device_id IS NOT NULL LIMIT 1), 'Program') || ', CPU' AS name
WHERE :_want_msproftx AND (EXISTS (SELECT 1 FROM msproftx) OR EXISTS (SELECT 1 FROM stream_mark))
UNION ALL SELECT 7, 31, 'CANN, CPU' WHERE :_want_cann AND EXISTS (SELECT 1 FROM api)
