-- @file host_mem_usage
-- @title MemUsage
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM host_memory_use) OR EXISTS (SELECT 1 FROM process_sample)
-- @use prof_program_use
-- @rows
SELECT time_ns AS start_time, (SELECT min(stamp_ns) FROM host_memory m WHERE m.stamp_ns > u.time_ns) AS end_time, use AS usage FROM host_memory_use u
UNION ALL SELECT before_ns, time_ns, rounded(kb * 100.0 / total_kb, 6) FROM used WHERE before_ns IS NOT NULL AND total_kb > 0 AND NOT EXISTS (SELECT 1 FROM host_memory_use)
