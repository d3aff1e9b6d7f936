-- @family prof
-- @needs tasks
-- @file step_trace_time
-- @newline crlf
-- @use prof_stamp
-- @each
SELECT _wall FROM stamp WHERE EXISTS (SELECT 1 FROM overlap) AND (NOT EXISTS (SELECT 1 FROM temp.step_range)
  OR EXISTS (SELECT 1 FROM temp.step_range r CROSS JOIN overlap o WHERE o.start_ns + _wall >= r.start_ns AND o.start_ns + _wall < r.end_ns))
-- @rows
WITH event AS (
  SELECT rowid AS place, 0 AS part, device_id, CASE WHEN kind > 2 THEN 3 ELSE kind END AS kind, start_ns, end_ns - start_ns AS dur_ns FROM overlap
  UNION ALL SELECT rowid, 1, device_id, 3, start_ns - free_ns, free_ns FROM overlap WHERE free_ns > 0
  UNION ALL SELECT id, 2, device_id, 4, start_ns, end_ns - start_ns FROM comm_op WHERE start_ns IS NOT NULL AND name GLOB 'hcom_receive*'
), moment AS (
  SELECT place, part, device_id, kind, CAST(us(start_ns + :_wall) AS REAL) AS start_us, dur_ns / 1000.0 AS dur_us FROM event
), step AS MATERIALIZED (
  SELECT id, step, CAST(us(start_ns) AS REAL) AS start_us, CAST(us(end_ns) AS REAL) AS end_us, CAST(us(marked_ns) AS REAL) AS marked_us FROM temp.step_range
), placed AS MATERIALIZED (
  SELECT *, (SELECT id FROM step s WHERE s.start_us <= m.start_us AND m.start_us < s.end_us ORDER BY id LIMIT 1) AS id FROM moment m ORDER BY device_id, part, place
), sums AS (
  SELECT device_id, id, CASE count(*) FILTER (WHERE kind = 0) WHEN 0 THEN 0 ELSE float_sum(dur_us) FILTER (WHERE kind = 0) END AS computing,
    CASE count(*) FILTER (WHERE kind = 1) WHEN 0 THEN 0 ELSE float_sum(dur_us) FILTER (WHERE kind = 1) END AS communication,
    CASE count(*) FILTER (WHERE kind = 2) WHEN 0 THEN 0 ELSE float_sum(dur_us) FILTER (WHERE kind = 2) END AS alone,
    CASE count(*) FILTER (WHERE kind = 3) WHEN 0 THEN 0 ELSE float_sum(dur_us) FILTER (WHERE kind = 3) END AS free,
    CASE count(*) FILTER (WHERE kind = 4) WHEN 0 THEN 0 ELSE float_sum(dur_us) FILTER (WHERE kind = 4) END AS bubble,
    max(start_us + dur_us) - min(start_us) AS whole, coalesce(min(start_us) FILTER (WHERE kind < 2), -1) AS first_us
  FROM placed GROUP BY device_id, id
), row AS (
  SELECT t.*, s.step, CASE WHEN alone - bubble > 0 OR typeof(alone - bubble) = 'real' AND alone - bubble = 0 THEN alone - bubble ELSE 0 END AS excluded, whole - bubble AS stage,
    CASE WHEN t.id IS NOT NULL THEN first_us - marked_us ELSE first_us - (SELECT CAST(us(min(start_ns)) AS REAL) FROM temp.op) END AS preparing
  FROM sums t LEFT JOIN step s ON s.id = t.id WHERE t.id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM step)
)
SELECT device_id AS "Device_id", coalesce(step, '') AS "Step", CASE typeof(computing) WHEN 'real' THEN repr(computing) ELSE computing END AS "Computing",
  CASE typeof(alone) WHEN 'real' THEN repr(alone) ELSE alone END AS "Communication(Not Overlapped)",
  CASE typeof(communication - alone) WHEN 'real' THEN repr(communication - alone) ELSE communication - alone END AS "Overlapped",
  CASE typeof(communication) WHEN 'real' THEN repr(communication) ELSE communication END AS "Communication", CASE typeof(free) WHEN 'real' THEN repr(free) ELSE free END AS "Free",
  repr(stage) AS "Stage", CASE typeof(bubble) WHEN 'real' THEN repr(bubble) ELSE bubble END AS "Bubble",
  CASE typeof(excluded) WHEN 'real' THEN repr(excluded) ELSE excluded END AS "Communication(Not Overlapped and Exclude Receive)", coalesce(repr(preparing), 0) AS "Preparing"
FROM row ORDER BY device_id, CAST(step AS INTEGER)
