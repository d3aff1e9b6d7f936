-- Time by (process, thread, type, name) over the API calls of one model, in ns and in whole microseconds a call.
WITH call AS (
  SELECT c.pid, c.tid, c.type, c.name, count(*) AS count,
    total_int(c.dur_ns) AS total_ns, max(c.dur_ns) AS max_ns, min(c.dur_ns) AS min_ns,
    total_int(c.dur_ns / 1000) AS whole_us
  FROM source s CROSS JOIN api_call c
  WHERE s.target = 'api_call' AND c.rowid BETWEEN s.first_row AND s.last_row
    AND s.device_id = :device_id AND s.model_id IS :model_id
  GROUP BY c.pid, c.tid, c.type, c.name
), api AS (
  SELECT pid, tid,
    CASE type WHEN 1 THEN 'op' WHEN 2 THEN 'model' WHEN 3 THEN 'runtime' WHEN 4 THEN 'others'
              ELSE CAST(type AS TEXT) END AS mode,
    name, count, total_ns, max_ns, min_ns, whole_us
  FROM call ORDER BY total_ns DESC, pid, tid, name, mode
)
