-- Who the ranks of this directory are, a device each. Times of the job plus wall_offset_ns are ns since 1970.
-- @family prof
-- @title rank
-- @each
SELECT 1 AS _any
-- @rows
SELECT device_id, rank_id, host, job, driver, chip, wall_offset_ns, rank_size, collectives, launch_delay_ns, damaged, standing, reason, mean_mhz, lowest_mhz FROM temp.aggregate_rank
