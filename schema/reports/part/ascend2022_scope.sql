-- The subject of a file: an iteration of a model that the user chose, or a whole device when the job has no iterations.
-- _exports: which tasks of the scheduler's log the chip has in exports.
WITH subject AS (
  SELECT s.device_id, s.model_id || '_' || s.iteration AS scope, s.id AS _step, s.model_id AS _model,
    s.iteration AS _iteration
  FROM step s JOIN temp.choice c ON s.model_id = coalesce(c.model_id, s.model_id)
    AND s.iteration BETWEEN c.iteration_id AND c.iteration_id + c.iteration_count - 1
  UNION ALL
  SELECT d.device_id, '1', NULL, NULL, 1
  FROM device d JOIN temp.choice c ON c.iteration_id = 1 OR NOT EXISTS (SELECT 1 FROM step)
  WHERE NOT EXISTS (SELECT 1 FROM step s WHERE s.device_id = d.device_id)
), scope AS (
  SELECT *, (SELECT c.exports FROM setting s JOIN chip c ON c.platform = s.chip WHERE s.device_id = subject.device_id) AS _exports FROM subject WHERE 1{device subject.device_id}
)
