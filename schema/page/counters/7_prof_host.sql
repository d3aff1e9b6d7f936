-- What the program uses of the host.
-- @needs usage
-- @each
SELECT 'Host' AS track WHERE EXISTS (SELECT 1 FROM host_cpu_use) OR EXISTS (SELECT 1 FROM host_memory_use)
-- @rows
SELECT time_ns, use AS "CPU(%)", NULL AS "Memory(%)" FROM host_cpu_use WHERE cpu = 'Avg'
UNION ALL SELECT time_ns, NULL, use FROM host_memory_use
