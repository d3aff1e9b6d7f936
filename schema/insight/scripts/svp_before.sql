-- The steps of a job of a board are its inferences: all files of one identity. A group is a model on a device.
CREATE TEMP TABLE step_file AS
SELECT s.id, s.target, s.first_row, s.last_row, s.device_id, s.model, s.model_id, s.net_id, s.current_pic,
  dense_rank() OVER (ORDER BY s.device_id, s.model, s.model_id) AS grp,
  dense_rank() OVER (ORDER BY s.device_id, s.model, s.model_id, s.batch, s.input_pic_num, s.current_pic, CASE WHEN s.model IS NULL THEN s.id END) AS step
FROM source s JOIN device d ON d.device_id = s.device_id
WHERE s.target IN ('aicore_task', 'aicpu_task') AND s.records > 0 AND d.frequency_mhz IS NOT NULL;

CREATE TEMP TABLE type_class AS
SELECT type, coalesce((SELECT min(class) FROM temp.operator_class c WHERE c.family = 'svp' AND lower(type) GLOB c.pattern), 1) AS class,
  EXISTS (SELECT 1 FROM temp.operator_class c WHERE c.family = 'svp' AND c.converts AND lower(type) GLOB c.pattern) AS converts
FROM (SELECT DISTINCT type FROM layer WHERE type IS NOT NULL);
CREATE UNIQUE INDEX temp.type_class_by_type ON type_class(type);

-- A fused task is of the lowest class of its layers: one matrix layer makes it a matrix task.
CREATE TEMP TABLE op_class AS
SELECT g.grp AS k1, l.task_id AS k2, l.stream_id AS k3, 0 AS k4, min(coalesce(c.class, 1)) AS class, min(coalesce(c.converts, 0)) AS converts
FROM (SELECT DISTINCT grp, net_id FROM temp.step_file) g JOIN layer l ON l.net_id = g.net_id LEFT JOIN temp.type_class c ON c.type = l.type
GROUP BY g.grp, l.task_id, l.stream_id;
CREATE UNIQUE INDEX temp.op_class_by_key ON op_class(k1, k2, k3);

-- An inference is one window of time.
CREATE TEMP TABLE range(track INTEGER, id INTEGER, start_ns INTEGER, end_ns INTEGER);
