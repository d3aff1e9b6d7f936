-- The API calls of one model: ns, and whole microseconds like the vendor's tool. Ranges (5) contain calls, and are not counted.
SELECT c.pid, c.tid, c.type, c.name, c.dur_ns AS value, c.dur_ns / 1000 AS also
FROM source s CROSS JOIN api_call c
WHERE s.target = 'api_call' AND c.rowid BETWEEN s.first_row AND s.last_row
  AND s.device_id = :device_id AND s.model_id IS :model_id AND c.type IS NOT 5
