-- What single processes use of processors and memory, on devices and on the host: the mean share of all ticks that the machine counted, and the mean pages, in whole
-- numbers. Names of files tell which process has the pages.
WITH process_line AS (
  SELECT s.device_id, x.*, count(x.stamp_ns) OVER (PARTITION BY s.id ORDER BY x.rowid) AS sample, s.id AS source
  FROM source s CROSS JOIN process_cpu x WHERE s.target = 'process_cpu' AND x.rowid BETWEEN s.first_row AND s.last_row
), process_sample_use AS (
  SELECT device_id, max(pid) AS pid, max(name) AS name, max(user + system + child_user + child_system) AS ticks,
    nullif(max(all_user + all_nice + all_system + all_idle + all_iowait + all_irq + all_softirq + all_steal + all_guest + all_guest_nice), 0) AS all_ticks
  FROM process_line GROUP BY device_id, source, sample
), process_use AS (
  SELECT device_id, pid, max(name) AS name, avg(1.0 * ticks / all_ticks) AS use FROM process_sample_use WHERE pid IS NOT NULL AND all_ticks IS NOT NULL GROUP BY device_id, pid
), process_pages AS (
  SELECT s.device_id, CAST(substr(s.file, instr(s.file, '/data/') + 6) AS INTEGER) AS pid, max(x.name) AS name, CAST(avg(x.size) AS INTEGER) AS size,
    CAST(avg(x.resident) AS INTEGER) AS resident, CAST(avg(x.shared) AS INTEGER) AS shared
  FROM source s CROSS JOIN process_memory x WHERE s.target = 'process_memory' AND x.rowid BETWEEN s.first_row AND s.last_row GROUP BY s.device_id, 2 HAVING count(x.size)
)
