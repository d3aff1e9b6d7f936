-- @each
SELECT 'model' AS name, group_concat(model, ', ') AS value FROM (SELECT DISTINCT model FROM temp.step_file WHERE model IS NOT NULL ORDER BY 1)
UNION ALL SELECT 'chip', group_concat(soc, ', ') FROM (SELECT DISTINCT soc FROM device WHERE soc IS NOT NULL ORDER BY 1)
UNION ALL SELECT 'clock', group_concat(frequency_mhz, ', ') FROM (SELECT DISTINCT frequency_mhz FROM device ORDER BY 1)
UNION ALL SELECT 'devices', count(DISTINCT device_id) FROM temp.step_file
UNION ALL SELECT 'batch', group_concat(batch, ', ') FROM (SELECT DISTINCT s.batch FROM temp.step_file f JOIN source s ON s.id = f.id WHERE s.batch IS NOT NULL ORDER BY 1)
UNION ALL SELECT 'tasks', decimal(total_int(last_row - first_row + 1), count(DISTINCT step), 1) FROM temp.step_file
UNION ALL SELECT 'settings', group_concat(setting, ', ') FROM (SELECT DISTINCT j.key || ' ' || j.value AS setting
  FROM device d JOIN json_tree(d.info) j WHERE json_valid(d.info) AND j.key NOT LIKE 'clock%' AND j.key NOT IN ('device', 'frequency', 'aic_frequency')
    AND typeof(j.key) = 'text' AND j.atom IS NOT NULL
  ORDER BY 1)
UNION ALL SELECT 'contradicted', group_concat(what, ', ') FROM standing WHERE standing = 'contradicted' AND about <> 'counters'
UNION ALL SELECT 'doubt', group_concat(what, ', ') FROM told_standing WHERE word = 'in doubt' AND about <> 'counters'
