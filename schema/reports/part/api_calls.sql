-- The API calls of one model: ns, and whole microseconds as the vendor's tool counts them. Ranges (5) hold calls, and are none.
SELECT c.pid, c.tid, c.type, c.name, c.dur_ns AS value, c.dur_ns / 1000 AS also
FROM source s CROSS JOIN api_call c
WHERE s.target = 'api_call' AND c.rowid BETWEEN s.first_row AND s.last_row
  AND s.device_id = :device_id AND s.model_id IS :model_id AND c.type IS NOT 5
