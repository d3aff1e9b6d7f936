-- The core frequency as a curve: each point twice. In the older style once, with a point each ms (for an hour at most) as doubles of
-- microseconds; the last is the end, or 1 us after the last.
WITH old AS (
  SELECT device_id, number, time_ns, mhz FROM told_point p
  WHERE :_old_trace AND (number > 0 OR NOT EXISTS (SELECT 1 FROM told_point f WHERE f.device_id = p.device_id AND f.is_change))
), point AS (
  SELECT device_id, number, time_ns, mhz, lead(time_ns) OVER (PARTITION BY device_id ORDER BY number) AS next_ns
  FROM (SELECT * FROM old UNION ALL
    SELECT device_id, 4294967296, time_ns + 1000, mhz FROM old GROUP BY device_id HAVING max(number) < 4294967295)
), curve AS (
  SELECT device_id, copy.value AS copy, number, 0 AS step, time_ns, mhz, us(time_ns + :_wall) AS ts
  FROM told_point CROSS JOIN numbers(2) copy WHERE NOT :_old_trace
  UNION ALL
  SELECT device_id, 0, number, 0, time_ns, mhz,
    CASE WHEN next_ns IS NULL AND number = 4294967295 THEN CAST((time_ns + :_wall) / 1000 AS TEXT) ELSE us(time_ns + :_wall) END
  FROM point
  UNION ALL
  SELECT device_id, 0, number, n.value + 1, time_ns + (n.value + 1) * 1000000, mhz, repr((time_ns + :_wall + 125) / 250 * 0.25 + (n.value + 1) * 1000)
  FROM point CROSS JOIN numbers(min((next_ns - time_ns - 1000) / 1000000, 3600000)) n WHERE next_ns - time_ns > 1000000
)
