-- The API calls of :device_id in the order of recording, with the type names of the reference.
WITH call AS (
  SELECT c.rowid AS row, c.name, c.pid, c.tid, c.start_ns, c.dur_ns, c.start_ns + c.dur_ns AS end_ns, c.type AS kind,
    CASE c.type WHEN 1 THEN 'ACL_OP' WHEN 2 THEN 'ACL_MODEL' WHEN 3 THEN 'ACL_RTS' WHEN 4 THEN 'ACL_OTHERS'
      ELSE CAST(c.type AS TEXT) END AS type
  FROM source s CROSS JOIN api_call c
  WHERE s.target = 'api_call' AND s.device_id = :device_id AND c.rowid BETWEEN s.first_row AND s.last_row
)
