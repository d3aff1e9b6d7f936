-- @file fusion_op_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'fusion_op' AND s.device_id = scope.device_id AND s.records > 0)
-- @rows
SELECT (SELECT name FROM model_load l WHERE l.model_id = x.model_id) AS "Model Name", x.model_id AS "Model ID", x.name AS "Fusion Op",
  (SELECT group_concat(name, ';') FROM (SELECT coalesce((SELECT name FROM hash_dic h WHERE h.hash = m.hash ORDER BY h.rowid DESC LIMIT 1), m.hash) AS name
     FROM fusion_member m WHERE m.row = x.rowid ORDER BY m.position)) AS "Original Ops",
  x.input_bytes AS "Memory Input(Bytes)", x.output_bytes AS "Memory Output(Bytes)", x.weight_bytes AS "Memory Weight(Bytes)",
  x.workspace_bytes AS "Memory Workspace(Bytes)", x.total_bytes AS "Memory Total(Bytes)"
FROM source s CROSS JOIN fusion_op x
WHERE s.target = 'fusion_op' AND s.device_id = :device_id AND x.rowid BETWEEN s.first_row AND s.last_row
ORDER BY x.rowid
