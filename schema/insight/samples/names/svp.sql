-- The original layers of a task; and the name of a call, which is recorded.
-- @each
SELECT coalesce(n.oris, n.names, 'task ' || :k2
  || CASE WHEN :k3 BETWEEN 1 AND 4294967294 AND EXISTS (SELECT 1 FROM meta WHERE key = 'one_clock') THEN ' of net ' || :k3 ELSE '' END) AS name, NULL AS shape,
  (SELECT group_concat(coalesce(replace(l.ori, ',', char(31)), l.name), char(31)) FROM layer l WHERE l.net_id = g.net_id AND l.task_id = :k2 AND l.seg_id = :k3) AS layers
FROM temp.sample_group g LEFT JOIN op n ON n.net_id = g.net_id AND n.task_id = :k2 AND n.seg_id = :k3 WHERE g.id = :k1
-- @rows
SELECT 'unnamed' AS name
