-- The name and the shapes of an operator; and the name of a call, which is recorded.
-- @each
SELECT CASE WHEN :k4 = 1 THEN 'all-reduce ' || :k2 WHEN :k3 >= 0 THEN 'stream ' || :k3 || ' task ' || :k2
    ELSE coalesce((SELECT name FROM op WHERE id = :k2), 'unnamed') END AS name,
  (SELECT trim(replace(coalesce(input_shapes, '') || ' to ' || coalesce(output_shapes, ''), '"', '')) FROM op_tensor WHERE op_id = :k2 AND :k3 = -1 AND :k4 = 0) AS shape,
  CASE WHEN :k3 = -1 AND :k4 = 0 THEN (SELECT f.layers FROM temp.sample_fusion f JOIN op o ON o.name = f.name WHERE o.id = :k2) END AS layers
-- @rows
SELECT 'unnamed' AS name
