-- @file l2_cache_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT scope.*, max(n.position) FILTER (WHERE e.place = 0) AS _request, max(n.position) FILTER (WHERE e.place = 1) AS _request2,
  max(n.position) FILTER (WHERE e.place = 2) AS _hit, max(n.position) FILTER (WHERE e.place = 3) AS _victim
FROM scope JOIN setting c ON c.device_id = scope.device_id JOIN l2_event e ON e.chip = c.chip
LEFT JOIN l2_counter n ON n.device_id = c.device_id AND n.event = e.event
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'l2_cache' AND s.device_id = scope.device_id AND s.records > 0)
GROUP BY scope.device_id, scope._step HAVING count(*) = count(n.event)
-- @without
SELECT 'Op Name' WHERE NOT EXISTS (SELECT 1 FROM op WHERE device_id = :device_id)
-- @rows
SELECT stream_id AS "Stream Id", task_id AS "Task Id", rounded(coalesce(1.0 * hits / nullif(requests, 0), 0.0), 6) AS "Hit Rate",
  rounded(coalesce(1.0 * victims / nullif(requests, 0), 0.0), 6) AS "Victim Rate",
  word('op', 'name', coalesce((SELECT max(o.op_id) FROM op_last o WHERE o.device_id = :device_id AND o.stream_id = use.stream_id AND o.task_id = use.task_id),
    (SELECT max(o.id) FROM op o WHERE o.device_id = :device_id AND o.stream_id = use.stream_id AND o.task_id = use.task_id))) AS "Op Name"
FROM (
  SELECT l.rowid AS row, l.stream_id, l.task_id, pick(:_hit, event0, event1, event2, event3, event4, event5, event6, event7) AS hits,
    pick(:_victim, event0, event1, event2, event3, event4, event5, event6, event7) AS victims,
    pick(:_request, event0, event1, event2, event3, event4, event5, event6, event7)
      + coalesce(pick(:_request2, event0, event1, event2, event3, event4, event5, event6, event7), 0) AS requests
  FROM source s CROSS JOIN l2_cache l WHERE s.target = 'l2_cache' AND s.device_id = :device_id AND l.rowid BETWEEN s.first_row AND s.last_row
) use ORDER BY row
