-- @family prof
-- @style any
-- @file acc_pmu_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall FROM stamp WHERE EXISTS (SELECT 1 FROM acc_pmu)
-- @rows
SELECT s.device_id AS "Device_id", NULL AS "task_id", NULL AS "stream_id", a.acc_id AS "acc_id", NULL AS "block_id", a.read_bandwidth AS "read_bandwidth",
  a.write_bandwidth AS "write_bandwidth", a.read_ost AS "read_ost", a.write_ost AS "write_ost", us(a.time_ns + :_wall) || char(9) AS "time_stamp(us)",
  NULL AS "start_time", NULL AS "dur_time"
FROM source s CROSS JOIN acc_pmu a WHERE s.target = 'acc_pmu' AND a.rowid BETWEEN s.first_row AND s.last_row ORDER BY s.device_id, a.time_ns, a.rowid
