-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM dvpp WHERE engine_type IS NOT NULL)
-- @rows
WITH line AS (
  SELECT s.device_id, coalesce(x.dvpp_id, 0) AS dvpp, x.*, x.rowid AS row FROM source s CROSS JOIN dvpp x LEFT JOIN setting c ON c.device_id = s.device_id
  WHERE s.target = 'dvpp' AND x.rowid BETWEEN s.first_row AND s.last_row AND x.engine_type IS NOT NULL AND (x.dvpp_id IS NULL) = (c.chip IS 0)
), engine AS (
  SELECT device_id, dvpp, engine_type, engine_id, max(all_time) - min(all_time) AS time, max(all_frame) - min(all_frame) AS frames, max(row) AS row
  FROM line GROUP BY device_id, dvpp, engine_type, engine_id
)
SELECT e.device_id AS "Device_id", dvpp AS "Dvpp Id", pick(e.engine_type, 'VDEC', 'JPEGD', 'PNGD', 'JPEGE', 'VPC', 'VENC', 'SCD') AS "Engine Type", e.engine_id AS "Engine ID",
  repr(1.0 * time) AS "All Time(us)", repr(1.0 * frames) AS "All Frame", x.all_use AS "All Utilization(%)"
FROM engine e JOIN main.dvpp x ON x.rowid = e.row ORDER BY e.device_id, dvpp, e.engine_type, e.engine_id
