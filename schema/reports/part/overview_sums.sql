-- The operators of group :_grp by what the user chose, a row for each item and unit of the device. Operators beyond the maximum of rows are one
-- row; they are of no group, and so only in the overview of a single one.
WITH item AS (
  SELECT CASE c.grouping WHEN 'type' THEN n.type WHEN 'stream' THEN 'stream ' || ((o.k3 >> 32) - 1) WHEN 'layer' THEN coalesce(l.ori, l.name, n.name)
      ELSE n.name END AS name, n.type, o.*
  FROM temp.choice c CROSS JOIN temp.operator o JOIN temp.op_name n ON n.id = o.id
  LEFT JOIN layer l ON c.grouping = 'layer' AND l.net_id = :_net AND l.task_id = o.k2 AND l.seg_id = iif(o.k4 = 1, -1, o.k3 & 4294967295) AND NOT o.is_rest
  WHERE o.is_rest = 0 AND o.k1 = :_grp OR o.is_rest = 1 AND (SELECT count(*) FROM temp.pace) = 1
)
