-- The calls of the model that the name of a reference tells, equal names together. Durations are as reports add them up: _us a microsecond.
SELECT coalesce(c.type, 0) AS kind, c.pid, c.tid, c.start_ns, coalesce(c.dur_parts, c.dur_ns) AS dur, 1000 * p.call AS rate, c.name
FROM parts p CROSS JOIN source s CROSS JOIN api_call c
WHERE s.target = 'api_call' AND c.rowid BETWEEN s.first_row AND s.last_row
  AND (:device_id < 0 OR coalesce(s.device_id, :device_id) = :device_id)
  AND (:model_id < 0 OR coalesce(s.model_id, :model_id) = :model_id)
  AND (:model = '' OR coalesce(s.model, :model) = :model)
ORDER BY c.name, c.start_ns
