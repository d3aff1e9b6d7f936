-- Samples as curves: the use between a sample and the previous sample.
WITH cpu_step AS (
  SELECT time_ns, cpu, user_us + system_us + irq_us + softirq_us AS busy_us, iowait_us + idle_us AS rest_us
  FROM cpu_sample
), cpu_span AS (
  SELECT time_ns, cpu, busy_us - lag(busy_us) OVER w AS busy_us, rest_us - lag(rest_us) OVER w AS rest_us
  FROM cpu_step WINDOW w AS (PARTITION BY cpu ORDER BY time_ns)
), process_span AS (
  SELECT time_ns, pid, name, resident_kb, user_us + system_us - lag(user_us + system_us) OVER w AS busy_us,
    time_ns - lag(time_ns) OVER w AS span_ns
  FROM process_sample WINDOW w AS (PARTITION BY pid ORDER BY time_ns)
), curve(sort_index, track, series, time_ns, name, value) AS (
  SELECT 9, 'CPU Usage', 'Usage(%)', time_ns, 'CPU ' || cpu, round(100.0 * busy_us / (busy_us + rest_us), 3)
  FROM cpu_span WHERE busy_us + rest_us > 0
  UNION ALL
  SELECT 9, 'CPU Usage', 'Usage(%)', time_ns, 'Process ' || pid || ' ' || name, round(100000.0 * busy_us / span_ns, 3)
  FROM process_span WHERE span_ns > 0
  UNION ALL
  SELECT 10, 'Memory Usage', 'KB', time_ns, 'Memory', total_kb - available_kb FROM memory_sample
  UNION ALL
  SELECT 10, 'Memory Usage', 'KB', time_ns, 'Process ' || pid || ' ' || name, resident_kb FROM process_sample
  UNION ALL
  SELECT 9, 'CPU Usage', 'Usage(%)', time_ns, 'CPU ' || cpu, use FROM host_cpu_use WHERE time_ns >= :_begin_ns
  UNION ALL
  SELECT 10, 'Memory Usage', 'Usage(%)', time_ns, 'Memory Usage', use FROM host_memory_use WHERE time_ns >= :_begin_ns
  UNION ALL
  SELECT 11, 'Network Usage', 'Usage(%)', time_ns, 'Network Usage', use FROM host_network_use WHERE time_ns >= :_begin_ns
  UNION ALL
  SELECT 12, 'Disk Usage', 'Usage(%)', time_ns, 'Disk Usage', use FROM host_disk_use WHERE time_ns >= :_begin_ns
)
