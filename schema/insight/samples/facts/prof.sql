-- @each
SELECT 'chip' AS name, group_concat(chip, ', ') AS value
FROM (SELECT DISTINCT coalesce(c.name, CAST(s.chip AS TEXT)) AS chip FROM setting s LEFT JOIN chip c ON c.chip = s.chip WHERE s.chip IS NOT NULL ORDER BY 1)
UNION ALL SELECT 'clock', group_concat(mhz, ', ') FROM (SELECT DISTINCT mhz FROM setting WHERE mhz > 0 ORDER BY 1)
-- the clocks at which operators ran, where a device recorded its clock
UNION ALL SELECT 'ran', CASE WHEN min(mhz) < max(mhz) THEN min(mhz) || ' to ' || max(mhz) ELSE CAST(min(mhz) AS TEXT) END FROM (
  SELECT DISTINCT frequency_mhz AS mhz FROM task WHERE is_op = 1 AND frequency_mhz > 0 AND start_ns IS NOT NULL
    AND device_id IN (SELECT device_id FROM core_frequency GROUP BY device_id HAVING min(mhz) < max(mhz))
  UNION ALL SELECT min(mhz) FROM core_frequency f WHERE EXISTS (SELECT 1 FROM source s WHERE s.target IN ('freq', 'lpm') AND s.device_id = f.device_id AND s.records > 0)
  GROUP BY device_id HAVING min(mhz) = max(mhz)) HAVING count(*)
UNION ALL SELECT 'devices', count(*) FROM temp.device_track
UNION ALL SELECT 'model', group_concat(model_id, ', ') FROM (SELECT DISTINCT model_id FROM main.step ORDER BY 1)
UNION ALL SELECT 'settings', group_concat(setting, ', ') FROM (
  SELECT DISTINCT coalesce(aic_metrics, 'none') || '/' || coalesce(aiv_metrics, 'none') || CASE WHEN sampled THEN ' sampled' ELSE '' END AS setting FROM setting ORDER BY 1)
UNION ALL SELECT 'contradicted', group_concat(what, ', ') FROM standing WHERE standing = 'contradicted' AND about <> 'counters'
UNION ALL SELECT 'doubt', group_concat(what, ', ') FROM told_standing WHERE word = 'in doubt' AND about <> 'counters'
