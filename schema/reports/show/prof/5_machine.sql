-- @title Machine
-- @needs usage
-- @later
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM device_cpu) OR EXISTS (SELECT 1 FROM device_memory) OR EXISTS (SELECT 1 FROM host_cpu_use)
  OR EXISTS (SELECT 1 FROM host_memory_use) OR EXISTS (SELECT 1 FROM host_network_use) OR EXISTS (SELECT 1 FROM host_disk_use)
-- @use prof_machine
-- @rows
, machine_word AS (
  SELECT s.device_id, trim(x.name) AS name, x.value, count(*) FILTER (WHERE x.name = 'TimeStamp') OVER (PARTITION BY s.device_id ORDER BY x.rowid) AS sample
  FROM source s CROSS JOIN device_memory x WHERE s.target = 'device_memory' AND x.rowid BETWEEN s.first_row AND s.last_row
), machine_memory AS (
  SELECT device_id, max(value) FILTER (WHERE name = 'MemTotal') - coalesce(max(value) FILTER (WHERE name = 'MemAvailable'),
    max(value) FILTER (WHERE name = 'MemFree') + coalesce(max(value) FILTER (WHERE name = 'Buffers'), 0) + coalesce(max(value) FILTER (WHERE name = 'Cached'), 0)) AS used_kb
  FROM machine_word WHERE sample > 0 GROUP BY device_id, sample
), said(device_id, place, what, samples, mean, most, unit) AS (
  SELECT device_id, 0, max(cpus) || iif(max(cpus) = 1, ' CPU busy', ' CPUs busy'), count(*), 100 * total(busy) / total(ticks), max(100 * busy / ticks), '%' FROM machine_use GROUP BY device_id
  UNION ALL SELECT DISTINCT t.device_id, 0, 'CPUs busy', 0, NULL, NULL, '%' FROM machine_ticks t WHERE NOT EXISTS (SELECT 1 FROM machine_use u WHERE u.device_id IS t.device_id)
  UNION ALL
  SELECT device_id, 1, 'Busiest CPU: ' || cpu, samples, mean, most, '%' FROM (
    SELECT *, row_number() OVER (PARTITION BY device_id ORDER BY mean DESC, cpu) AS n FROM (
      SELECT device_id, cpu, count(*) AS samples, 100 * total(busy) / total(ticks) AS mean, max(100 * busy / ticks) AS most FROM machine_cpu GROUP BY device_id, cpu)) WHERE n = 1
  UNION ALL SELECT device_id, 2, 'CPUs wait for disks', count(*), 100 * total(iowait) / total(ticks), max(100 * iowait / ticks), '%' FROM machine_use GROUP BY device_id
  UNION ALL SELECT device_id, 3, 'Memory used', count(used_kb), avg(used_kb) * 0.001024, max(used_kb) * 0.001024, 'MB' FROM machine_memory GROUP BY device_id HAVING count(used_kb)
  UNION ALL SELECT NULL, 4, 'Program: CPUs', count(*), avg(use), max(use), '%' FROM host_cpu_use WHERE cpu = 'Avg' HAVING count(*)
  UNION ALL SELECT NULL, 5, 'Program: memory', count(*), avg(use), max(use), '%' FROM host_memory_use HAVING count(*)
  UNION ALL SELECT NULL, 6, 'Network cards', count(*), avg(use), max(use), '%' FROM host_network_use HAVING count(*)
  UNION ALL SELECT NULL, 7, 'Network cards', count(*), avg(kbs), max(kbs), 'KB/s' FROM host_network_use HAVING count(*)
  UNION ALL SELECT NULL, 8, 'Disks: read', count(*), avg(read_kbs), max(read_kbs), 'KB/s' FROM host_disk_use HAVING count(*)
  UNION ALL SELECT NULL, 9, 'Disks: written', count(*), avg(write_kbs), max(write_kbs), 'KB/s' FROM host_disk_use HAVING count(*)
  UNION ALL SELECT NULL, 10, 'Program waits for disks', count(*), avg(use), max(use), '%' FROM host_disk_use HAVING count(*)
)
SELECT coalesce(device_id, 'host') AS "Device", what AS "What", samples AS "Samples", rounded(mean, 2) AS "Mean", rounded(most, 2) AS "Most", unit AS "Unit"
FROM said ORDER BY device_id IS NULL, device_id, place
