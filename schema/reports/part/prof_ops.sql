-- Operators, each once though it ran several times, with words for numbers.
WITH op AS (
  SELECT t.*, coalesce(word('name', 'name', t.op_name), printf('%u', t.op_name)) AS name,
    CASE WHEN t.op_type IS NULL THEN 'N/A' ELSE coalesce(word('name', 'name', t.op_type), printf('%u', t.op_type)) END AS type,
    coalesce(word('node_kind', 'name', t.node_type), CAST(t.node_type AS TEXT), 'N/A') AS node, coalesce(CAST(t.op_state AS TEXT), 'N/A') AS state,
    CASE WHEN t.op_flag THEN 'YES' WHEN t.op_flag = 0 THEN 'NO' ELSE 'N/A' END AS flag,
    length(x.input_types || ';') - length(replace(x.input_types, ';', '')) + coalesce(length(x.output_types || ';') - length(replace(x.output_types, ';', '')), 0) AS tensors,
    coalesce(x.input_formats, 'N/A') AS input_formats, coalesce(x.input_types, 'N/A') AS input_types, coalesce(x.input_shapes, 'N/A') AS input_shapes,
    coalesce(x.output_formats, 'N/A') AS output_formats, coalesce(x.output_types, 'N/A') AS output_types, coalesce(x.output_shapes, 'N/A') AS output_shapes
  FROM task t LEFT JOIN tensor x ON x.id = t.tensor_id WHERE t.is_op AND t.key_id IS NULL
)
