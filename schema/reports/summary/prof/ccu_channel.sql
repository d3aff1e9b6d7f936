-- @use prof_stamp
-- @each
SELECT time, _exact_wall AS _wall FROM stamp WHERE EXISTS (SELECT 1 FROM ccu_delay)
-- @rows
SELECT device_id AS "Device_id", channel_id AS "Channel Id", us(time_ns + :_wall) || char(9) AS "Timestamp(us)",
  repr(coalesce(rounded(4096 / nullif(least_us, 0) * (1000000000 / 1000.0 / 1024 / 1024), 3), 0)) AS "Max Bandwidth(MB/s)",
  repr(coalesce(rounded(4096 / nullif(most_us, 0) * (1000000000 / 1000.0 / 1024 / 1024), 3), 0)) AS "Min Bandwidth(MB/s)",
  repr(coalesce(rounded(4096 / nullif(mean_us, 0) * (1000000000 / 1000.0 / 1024 / 1024), 3), 0)) AS "Avg Bandwidth(MB/s)"
FROM ccu_delay ORDER BY row, channel_id
