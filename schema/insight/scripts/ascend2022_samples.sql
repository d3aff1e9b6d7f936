-- An operator is described anew for each iteration: equal names and shapes are one operator.
CREATE TEMP TABLE sample_name AS
SELECT o.id AS op_id, min(o.id) OVER (PARTITION BY o.name, o.type, t.input_shapes, t.output_shapes) AS name_id
FROM op o LEFT JOIN op_tensor t ON t.op_id = o.id;
CREATE UNIQUE INDEX temp.sample_name_by_op ON sample_name(op_id);

-- The operators of which a fused one was made, as the framework describes it.
CREATE TEMP TABLE sample_fusion AS
SELECT f.name, (SELECT group_concat(name, char(31)) FROM (SELECT coalesce((SELECT name FROM hash_dic h WHERE h.hash = m.hash ORDER BY h.rowid DESC LIMIT 1), m.hash) AS name
    FROM fusion_member m WHERE m.row = f.rowid ORDER BY m.position)) AS layers
FROM fusion_op f WHERE f.rowid IN (SELECT min(rowid) FROM fusion_op GROUP BY name);
CREATE UNIQUE INDEX temp.sample_fusion_by_name ON sample_fusion(name);
