-- What a comparison takes as a group: a model on a device. Its steps are inferences.
CREATE TEMP TABLE sample_group(id INTEGER PRIMARY KEY, title TEXT, what TEXT, net_id INTEGER);
INSERT INTO temp.sample_group
SELECT grp, coalesce(model, 'unknown model') || CASE WHEN count(*) OVER (PARTITION BY model, device_id) > 1 THEN ', id ' || model_id ELSE '' END
  || CASE WHEN (SELECT count(DISTINCT device_id) FROM temp.step_file) > 1 THEN ' on device ' || device_id ELSE '' END, 'inference', net_id
FROM (SELECT grp, model, model_id, device_id, min(net_id) AS net_id FROM temp.step_file GROUP BY grp);
