-- @each
SELECT 'clock' AS name, group_concat(frequency_mhz, ', ') AS value FROM (SELECT DISTINCT frequency_mhz FROM device WHERE frequency_mhz IS NOT NULL ORDER BY 1)
UNION ALL SELECT 'devices', count(*) FROM temp.sample_group
UNION ALL SELECT 'contradicted', group_concat(what, ', ') FROM standing WHERE standing = 'contradicted' AND about <> 'counters'
UNION ALL SELECT 'doubt', group_concat(what, ', ') FROM told_standing WHERE word = 'in doubt' AND about <> 'counters'
