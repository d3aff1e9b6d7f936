-- @title Waits of the unit for collectives
-- @time Total Wait(us)
-- @top 5
-- @later
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM ccu_part WHERE wait_dur_ns > 0 AND rank_id IS NOT NULL)
-- @rows
SELECT device_id AS "Device", rank_id AS "For Rank ID", count(*) AS "Waits", decimal(total_int(wait_dur_ns), 1000, 3) AS "Total Wait(us)",
  decimal(total_int(wait_dur_ns), 1000 * count(*), 3) AS "Avg(us)", decimal(max(wait_dur_ns), 1000, 3) AS "Max(us)"
FROM ccu_part WHERE wait_dur_ns > 0 AND rank_id IS NOT NULL GROUP BY device_id, rank_id ORDER BY total_int(wait_dur_ns) DESC, device_id, rank_id
