-- @family ascend2022
-- @style any
-- @file runtime_api_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'runtime_api' AND s.device_id = scope.device_id AND s.records > 0)
-- @rows
SELECT name AS "Name", stream_id AS "Stream ID", rounded(100.0 * total / total(total) OVER (), 6) AS "Time(%)", total AS "Time(ns)",
  count AS "Calls", total * 1.0 / count AS "Avg(ns)", shortest AS "Min(ns)", longest AS "Max(ns)", NULL AS "Process ID",
  thread_id AS "Thread ID"
FROM (
  SELECT x.name, x.stream_id, x.thread_id, total_int(x.dur_ns) AS total, count(*) AS count, min(x.dur_ns) AS shortest,
    max(x.dur_ns) AS longest
  FROM source s CROSS JOIN runtime_api x
  WHERE s.target = 'runtime_api' AND s.device_id = :device_id AND x.rowid BETWEEN s.first_row AND s.last_row
  GROUP BY x.name, x.stream_id, x.thread_id
) ORDER BY name, stream_id, thread_id
