-- @title Translation of addresses
-- @top 5
-- @later
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM tlb_task)
-- @rows
SELECT l.device_id AS "Device", n.name AS "Op Name", count(*) AS "Tasks", rounded(avg(l.hit_rate), 6) AS "TLB Hit Rate", rounded(avg(l.miss_rate), 6) AS "TLB Miss Rate"
FROM tlb_task l LEFT JOIN (SELECT device_id, stream_id, task_id, op_name, min(id) FROM task WHERE op_name IS NOT NULL GROUP BY 1, 2, 3) t
  ON t.device_id = l.device_id AND t.stream_id = l.stream_id AND t.task_id = l.task_id
LEFT JOIN name n ON n.hash = t.op_name GROUP BY l.device_id, t.op_name ORDER BY avg(l.miss_rate) DESC, 1, 2
