-- @title Channels of the unit for collectives
-- @top 5
-- @later
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM ccu_delay)
-- @rows
SELECT device_id AS "Device", channel_id AS "Channel ID", count(*) AS "Samples", rounded(min(least_us), 3) AS "Min Delay(us)", rounded(avg(mean_us), 3) AS "Avg Delay(us)",
  rounded(max(most_us), 3) AS "Max Delay(us)"
FROM ccu_delay GROUP BY device_id, channel_id ORDER BY avg(mean_us) DESC, device_id, channel_id
