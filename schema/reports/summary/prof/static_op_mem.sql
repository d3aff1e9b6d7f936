-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM static_op_mem)
-- @rows
SELECT 'host' AS "Device_id", CASE WHEN m.operator = 0 THEN 'TOTAL' ELSE coalesce(word('name', 'name', m.operator), printf('%u', m.operator)) END AS "Op Name",
  coalesce(word('name', 'name', m.model), printf('%u', m.model)) AS "Model Name", m.graph_id AS "Graph ID", m.first_node AS "Node Index Start",
  CASE m.last_node WHEN 4294967294 THEN 4294967295 ELSE m.last_node END AS "Node Index End", CASE WHEN m.size % 1024 THEN repr(m.size / 1024.0) ELSE m.size / 1024 END AS "Size(KB)"
FROM static_op_mem m ORDER BY m.rowid
