-- Runs after overlap.sql and chosen.sql, which name the devices to measure.

-- Of these devices: 0 computing, 1 communication, 2 communication while nothing computes, 3 neither.
-- @when EXISTS (SELECT 1 FROM temp.measured)
CREATE TEMP TABLE quiet_type AS
SELECT host_type FROM (SELECT host_type, coalesce((SELECT name FROM name n WHERE n.hash = t.host_type),
  (SELECT name FROM type_name n WHERE n.level = 5000 AND n.type = t.host_type)) AS name FROM (SELECT DISTINCT host_type FROM task) t)
WHERE name IN ('KERNEL_AICORE', 'KERNEL_AIVEC', 'FFTS_PLUS', 'KERNEL_MIX_AIC', 'KERNEL_MIX_AIV', 'PROFILING_ENABLE', 'PROFILING_DISABLE');
CREATE TEMP TABLE busy AS
SELECT device_id, 1 AS kind, start_ns, end_ns FROM comm_op WHERE end_ns > start_ns
UNION ALL
SELECT device_id, 0, start_ns, start_ns + CASE WHEN tick_ns THEN CAST(round(dur_ns / tick_ns) * tick_ns AS INTEGER) ELSE dur_ns END FROM task CROSS JOIN odd_clock
WHERE device_id IN (SELECT device_id FROM temp.measured) AND start_ns IS NOT NULL AND is_op AND dur_ns > 0
  AND stream_id NOT IN (SELECT stream_id FROM mc2_comm_info)
  AND coalesce((SELECT name FROM name n WHERE n.hash = op_name) NOT LIKE '%AicpuKernel' AND (SELECT name FROM name n WHERE n.hash = op_name) NOT LIKE '%AivKernel', 1);
DELETE FROM overlap WHERE device_id IN (SELECT device_id FROM temp.measured);
INSERT INTO overlap(device_id, kind, start_ns, end_ns)
SELECT device_id, kind, min(start_ns), max(end_ns) FROM (
  SELECT device_id, kind, start_ns, end_ns, count(*) FILTER (WHERE begins) OVER (PARTITION BY device_id, kind ORDER BY number) AS island FROM (
    SELECT *, coalesce(start_ns > max(end_ns) OVER (PARTITION BY device_id, kind ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 1) AS begins
    FROM (SELECT *, row_number() OVER (PARTITION BY device_id, kind ORDER BY start_ns, end_ns) AS number FROM temp.busy)))
GROUP BY device_id, kind, island;
INSERT INTO overlap(device_id, kind, start_ns, end_ns)
SELECT device_id, kind, min(at), max(until) FROM (
  SELECT device_id, kind, at, until, n - row_number() OVER (PARTITION BY device_id, kind ORDER BY n) AS island FROM (
    SELECT device_id, at, until, CASE WHEN computes THEN 0 WHEN communicates THEN 2 ELSE 3 END AS kind, row_number() OVER (PARTITION BY device_id ORDER BY at) AS n FROM (
      SELECT device_id, at, lead(at) OVER w AS until, total(computes) OVER w > 0 AS computes, total(communicates) OVER w > 0 AS communicates FROM (
        SELECT device_id, at, total(change * (kind = 0)) AS computes, total(change * (kind = 1)) AS communicates FROM (
          SELECT device_id, kind, start_ns AS at, 1 AS change FROM overlap WHERE device_id IN (SELECT device_id FROM temp.measured)
          UNION ALL SELECT device_id, kind, end_ns, -1 FROM overlap WHERE device_id IN (SELECT device_id FROM temp.measured)
          UNION ALL SELECT device_id, 3, min(start_ns), 0 FROM task WHERE start_ns IS NOT NULL AND coalesce(host_type NOT IN (SELECT host_type FROM temp.quiet_type), 1)
            AND device_id IN (SELECT device_id FROM temp.measured) GROUP BY device_id
          UNION ALL SELECT device_id, 3, max(start_ns + dur_ns), 0 FROM task WHERE start_ns IS NOT NULL AND coalesce(host_type NOT IN (SELECT host_type FROM temp.quiet_type), 1)
            AND device_id IN (SELECT device_id FROM temp.measured) GROUP BY device_id)
        GROUP BY device_id, at)
      WINDOW w AS (PARTITION BY device_id ORDER BY at))
    WHERE until IS NOT NULL))
WHERE kind > 0 GROUP BY device_id, kind, island;
DROP TABLE temp.busy;
DROP TABLE temp.quiet_type;
-- @end
DROP TABLE temp.measured;
