-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM host_disk_use)
-- @rows
SELECT 'host' AS "Device_id", repr(max(read_kbs)) AS "Peak Disk Read(KB/s)",
  repr(coalesce((SELECT read_kbs FROM host_disk_use WHERE read_kbs > 0 ORDER BY read_kbs
    LIMIT 1 OFFSET (SELECT CAST((count(*) - 1) * 0.98 + 0.999999 AS INTEGER) FROM host_disk_use WHERE read_kbs > 0)), 0) / 0.8) AS "Recommend Disk Read(KB/s)",
  repr(max(write_kbs)) AS "Peak Disk Write(KB/s)",
  repr(coalesce((SELECT write_kbs FROM host_disk_use WHERE write_kbs > 0 ORDER BY write_kbs
    LIMIT 1 OFFSET (SELECT CAST((count(*) - 1) * 0.98 + 0.999999 AS INTEGER) FROM host_disk_use WHERE write_kbs > 0)), 0) / 0.8) AS "Recommend Disk Write(KB/s)"
FROM host_disk_use
