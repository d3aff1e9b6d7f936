-- What the program reads from and writes to disks.
-- @needs usage
-- @each
SELECT 'Host disks' AS track WHERE EXISTS (SELECT 1 FROM host_disk_use)
-- @rows
SELECT time_ns, use AS "Waits(%)", read_kbs AS "Read(KB/s)", write_kbs AS "Written(KB/s)" FROM host_disk_use
