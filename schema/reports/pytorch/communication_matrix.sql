-- @family prof
-- @form object
-- @file communication_matrix
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM temp.communication_matrix)
-- @rows
WITH operation AS (
  SELECT id, kind, type || part || '@' || step_group AS name, min(first * 8 + slot) AS at, group_concat(json_quote(link) || ': ' || json, ', ') AS links
  FROM (SELECT * FROM temp.matrix_entry ORDER BY id, kind, type, part, step_group, first) GROUP BY id, kind, type, part, step_group
), part AS (
  SELECT id, kind, group_concat(json_quote(name) || ': {' || links || '}', ', ') AS text FROM (SELECT * FROM operation ORDER BY id, kind, at) GROUP BY id, kind
)
SELECT 'step' || coalesce((SELECT step FROM temp.collective_range s WHERE s.id = m.id), '') AS "key",
  '{"p2p": {' || coalesce((SELECT text FROM part p WHERE p.id = m.id AND p.kind = 'p2p'), '') ||
  '}, "collective": {' || coalesce((SELECT text FROM part p WHERE p.id = m.id AND p.kind = 'collective'), '') || '}}' AS "json"
FROM (SELECT id, min(place) AS place FROM temp.matrix_step GROUP BY id) m ORDER BY m.place
