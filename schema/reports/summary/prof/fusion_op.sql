-- @use prof_stamp
-- @each
SELECT time, _old FROM stamp WHERE EXISTS (SELECT 1 FROM fusion_op_info)
-- @rows
-- the graph of the model, in the older style each such graph, else the last graph before; in the older style for each device
SELECT d.name AS "Device_id", coalesce(
    CASE WHEN g.model_name IS NOT NULL THEN coalesce((SELECT name FROM name WHERE hash = g.model_name), printf('%u', g.model_name)) END,
    (SELECT coalesce((SELECT name FROM name WHERE hash = model_name), printf('%u', model_name)) FROM graph_id_map g
     WHERE g.time_ns <= f.time_ns ORDER BY g.time_ns DESC LIMIT 1)) AS "Model Name",
  coalesce(m.model_id, 4294967295) AS "Model ID", coalesce((SELECT name FROM name WHERE hash = f.fusion_name), printf('%u', f.fusion_name)) AS "Fusion Op",
  (SELECT group_concat(coalesce((SELECT name FROM name WHERE hash = number_at(f.ops, 8 * e.value, 8)), printf('%u', number_at(f.ops, 8 * e.value, 8))), ';')
   FROM numbers(min(f.op_num, 8)) e) AS "Original Ops",
  input_bytes / 1024.0 AS "Memory Input(KB)", output_bytes / 1024.0 AS "Memory Output(KB)",
  weight_bytes / 1024.0 AS "Memory Weight(KB)", workspace_bytes / 1024.0 AS "Memory Workspace(KB)",
  total_bytes / 1024.0 AS "Memory Total(KB)"
FROM (SELECT device_id AS place, CAST(device_id AS TEXT) AS name FROM device WHERE :_old UNION ALL SELECT 0, 'host' WHERE NOT :_old) d
CROSS JOIN fusion_op_info f LEFT JOIN fusion_model m ON m.row = f.rowid
LEFT JOIN graph_id_map g ON g.model_id = m.model_id AND (:_old OR g.rowid = (SELECT min(o.rowid) FROM graph_id_map o WHERE o.model_id = m.model_id))
ORDER BY d.place, f.rowid, g.rowid
