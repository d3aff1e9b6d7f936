-- @title Frequency
-- @top 3
-- @later
-- @each
SELECT device_id, word('Device id : ') || device_id || CASE WHEN min(mhz) < max(mhz) THEN word(' Lowest : ') || min(mhz) || word(' MHz Highest : ') || max(mhz) || ' MHz' ELSE '' END AS heading
FROM core_frequency GROUP BY device_id
-- @rows
SELECT time_ns AS "Time(ns)", mhz AS "Frequency(MHz)" FROM core_frequency WHERE device_id = :device_id ORDER BY rowid
-- @why
SELECT 'no info.json.N with an aic_frequency'
