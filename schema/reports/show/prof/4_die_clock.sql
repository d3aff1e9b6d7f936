-- What the power unit samples; numbers of samples are swapped in pairs.
-- @title Clock of dies
-- @later
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM low_power)
-- @rows
SELECT s.device_id AS "Device", x.die_id AS "Die", count(*) AS "Samples", min(number_at(x.samples, 22, 2)) AS "Lowest(MHz)",
  rounded(avg(number_at(x.samples, 22, 2)), 2) AS "Mean(MHz)", max(number_at(x.samples, 22, 2)) AS "Highest(MHz)"
FROM source s JOIN stars_log_chip USING (device_id) CROSS JOIN low_power x JOIN setting c ON c.device_id = s.device_id
WHERE s.target = 'low_power' AND x.rowid BETWEEN s.first_row AND s.last_row AND x.die_id < 2 AND c.chip IN (15, 16) GROUP BY s.device_id, x.die_id ORDER BY s.device_id, x.die_id
