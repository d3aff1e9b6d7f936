-- @file runtime_api_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'runtime_api' AND s.device_id = scope.device_id AND s.records > 0)
-- @rows
-- Stream and thread of a name are those of its first longest call.
SELECT name AS "Name", CASE stream_id WHEN 65535 THEN 'N/A' ELSE stream_id END AS "Stream ID",
  rounded(1.0 * total / total(total) OVER () * 100, 6) AS "Time(%)", total AS "Time(ns)", count AS "Calls", total / count AS "Avg(ns)",
  shortest AS "Min(ns)", longest AS "Max(ns)", (SELECT pid FROM setting WHERE device_id = :device_id) AS "Process ID", thread_id AS "Thread ID"
FROM (
  SELECT x.name, total_int(x.dur_ns) AS total, count(*) AS count, min(x.dur_ns) AS shortest, max(x.dur_ns) AS longest, x.stream_id, x.thread_id
  FROM source s CROSS JOIN runtime_api x
  WHERE s.target = 'runtime_api' AND s.device_id = :device_id AND x.rowid BETWEEN s.first_row AND s.last_row
  GROUP BY x.name
) ORDER BY name
