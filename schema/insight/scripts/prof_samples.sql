-- The operators of which a fused one was made, as the framework describes it.
CREATE TEMP TABLE sample_fusion AS
SELECT f.fusion_name AS hash, (SELECT group_concat(coalesce((SELECT name FROM name WHERE hash = number_at(f.ops, 8 * e.value, 8)),
    printf('%u', number_at(f.ops, 8 * e.value, 8))), char(31)) FROM numbers(min(f.op_num, 8)) e) AS layers
FROM fusion_op_info f WHERE f.rowid IN (SELECT min(rowid) FROM fusion_op_info GROUP BY fusion_name);
CREATE UNIQUE INDEX temp.sample_fusion_by_hash ON sample_fusion(hash);
