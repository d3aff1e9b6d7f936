-- The API calls of one model: ns or parts of them, :_us a microsecond, and whole microseconds like the vendor's tool. Ranges (5) contain calls, and are not counted.
SELECT c.pid, c.tid, c.type, c.name, coalesce(c.dur_parts, c.dur_ns) AS value, coalesce(c.dur_parts, c.dur_ns) / :_us AS also
FROM source s CROSS JOIN api_call c
WHERE s.target = 'api_call' AND c.rowid BETWEEN s.first_row AND s.last_row
  AND s.device_id = :device_id AND s.model_id IS :model_id AND c.type IS NOT 5
