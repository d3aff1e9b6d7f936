-- @title Processes
-- @needs usage
-- @top 5
-- @later
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM process_cpu) OR EXISTS (SELECT 1 FROM process_memory)
-- @use prof_processes
-- @rows
, process_span AS ( -- ticks count from the start of the process: what was used in the collection is the difference of samples
  SELECT device_id, pid, max(name) AS name, 1.0 * (max(ticks) - min(ticks)) / nullif(max(all_ticks) - min(all_ticks), 0) AS use
  FROM process_sample_use WHERE pid IS NOT NULL GROUP BY device_id, pid
)
SELECT coalesce(device_id, 'host') AS "Device", pid AS "PID", max(name) AS "Name", rounded(max(use) * 100, 3) AS "CPU(%)",
  max(resident) AS "Resident(pages)", max(size) AS "Size(pages)"
FROM (SELECT device_id, pid, name, use, NULL AS resident, NULL AS size FROM process_span UNION ALL SELECT device_id, pid, name, NULL, resident, size FROM process_pages)
GROUP BY device_id, pid ORDER BY device_id IS NULL, device_id, max(use) DESC, pid
