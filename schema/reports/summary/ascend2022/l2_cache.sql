-- @family ascend2022
-- @style any
-- @file l2_cache_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'l2_cache' AND s.device_id = scope.device_id AND s.records > 0)
-- @rows
SELECT l.stream_id AS "Stream Id", l.task_id AS "Task Id", rounded(l.hit_rate, 6) AS "Hit Rate", rounded(l.victim_rate, 6) AS "Victim Rate",
  (SELECT o.name FROM op o WHERE o.device_id = l.device_id AND o.stream_id = l.stream_id AND o.task_id = l.task_id LIMIT 1) AS "Op Name"
FROM l2_rate l WHERE l.device_id = :device_id ORDER BY l.row
