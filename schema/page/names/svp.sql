-- The original layers of a task: k1 is the network, k2 the task, k3 its net.
-- @each
SELECT coalesce((SELECT coalesce(oris, names) FROM op WHERE net_id = :k1 AND task_id = :k2 AND seg_id = :k3), 'task ' || :k2
  || CASE WHEN :k3 BETWEEN 1 AND 4294967294 AND EXISTS (SELECT 1 FROM meta WHERE key = 'one_clock') THEN ' of net ' || :k3 ELSE '' END) AS name
