-- @title Voltage
-- @later
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM lpm_point WHERE kind > 0)
-- @rows
SELECT device_id AS "Device", CASE kind WHEN 1 THEN 'cores' WHEN 2 THEN 'bus' ELSE CAST(kind AS TEXT) END AS "Of", count(*) - 1 AS "Changes", min(value) AS "Lowest(mV)",
  max(value) AS "Highest(mV)"
FROM lpm_point WHERE kind > 0 GROUP BY device_id, kind ORDER BY device_id, kind
