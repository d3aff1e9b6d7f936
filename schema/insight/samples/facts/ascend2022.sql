-- @each
SELECT 'chip' AS name, group_concat(chip, ', ') AS value
FROM (SELECT DISTINCT coalesce(c.name, CAST(s.chip AS TEXT)) AS chip FROM setting s LEFT JOIN chip c ON c.platform = s.chip WHERE s.chip IS NOT NULL ORDER BY 1)
UNION ALL SELECT 'clock', group_concat(aic_mhz, ', ') FROM (SELECT DISTINCT aic_mhz FROM setting ORDER BY 1)
UNION ALL SELECT 'devices', count(*) FROM temp.sample_group
UNION ALL SELECT 'model', group_concat(name, ', ') FROM (SELECT DISTINCT name FROM model_load WHERE name IS NOT NULL ORDER BY 1)
UNION ALL SELECT 'settings', group_concat(metrics, ', ') FROM (SELECT DISTINCT metrics FROM setting WHERE metrics IS NOT NULL ORDER BY 1)
UNION ALL SELECT 'contradicted', group_concat(what, ', ') FROM standing WHERE standing = 'contradicted' AND about <> 'counters'
UNION ALL SELECT 'doubt', group_concat(what, ', ') FROM told_standing WHERE word = 'in doubt' AND about <> 'counters'
