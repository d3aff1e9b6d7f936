-- @file host_cpu_usage
-- @title CpuUsage
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM host_cpu_use) OR EXISTS (SELECT 1 FROM process_sample)
-- @use prof_program_use
-- @rows
SELECT time_ns AS start_time, (SELECT min(stamp_ns) FROM host_cpu c WHERE c.stamp_ns > u.time_ns) AS end_time, cpu AS cpu_no, use AS usage FROM host_cpu_use u
UNION ALL SELECT before_ns, time_ns, 'Avg', rounded(used_us * 100000.0 / ((time_ns - before_ns) * cpus), 6) FROM used
WHERE used_us >= 0 AND cpus > 0 AND NOT EXISTS (SELECT 1 FROM host_cpu_use)
