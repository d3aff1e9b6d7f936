-- The name and the shapes of an operator; and the name of a call.
-- @each
SELECT coalesce((SELECT name FROM name WHERE hash = :k2), CASE WHEN :k2 = -1 THEN 'unnamed' ELSE printf('%u', :k2) END) AS name,
  (SELECT trim(replace(coalesce(input_shapes, '') || ' to ' || coalesce(output_shapes, ''), '"', '')) FROM tensor WHERE id = :k3) AS shape,
  (SELECT layers FROM temp.sample_fusion WHERE hash = :k2) AS layers
-- @rows
SELECT coalesce((SELECT name FROM call_kind WHERE id = (:k2 << 32 | :k3)), (SELECT name FROM type_name WHERE level = :k2 AND type = :k3),
  'level ' || :k2 || ', type ' || :k3) AS name
