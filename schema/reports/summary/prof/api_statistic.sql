-- @needs calls
-- @use prof_stamp
-- @each
SELECT time, _old, _to_ns FROM stamp WHERE EXISTS (SELECT 1 FROM api)
-- @tally
SELECT level, CASE level WHEN 5500 THEN item_id ELSE type END AS type, dur_ns AS value FROM api
WHERE :_to_ns < 9223372036854775807 AND dur_ns >= 0
-- @use prof_calls
-- @rows
-- in the older style the host's calls are those of each device
SELECT d.name AS "Device_id", level AS "Level", api_sum.name AS "API Name",
  CASE WHEN :_old THEN repr(1.0 * total_us) ELSE total_us END AS "Time(us)", count AS "Count",
  CASE WHEN :_old THEN repr(1.0 * avg_us) ELSE avg_us END AS "Avg(us)",
  CASE WHEN :_old THEN repr(1.0 * min_us) ELSE min_us END AS "Min(us)",
  CASE WHEN :_old THEN repr(1.0 * max_us) ELSE max_us END AS "Max(us)", CASE WHEN :_old THEN repr(1.0 * variance) ELSE variance END AS "Variance"
FROM (SELECT device_id AS place, CAST(device_id AS TEXT) AS name FROM device WHERE :_old UNION ALL SELECT 0, 'host' WHERE NOT :_old
  UNION ALL SELECT 0, NULL WHERE :_old AND NOT EXISTS (SELECT 1 FROM device)) d CROSS JOIN api_sum ORDER BY d.place, api_sum.name, level
