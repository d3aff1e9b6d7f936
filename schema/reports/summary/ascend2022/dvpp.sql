-- @file dvpp_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT scope.* FROM scope JOIN setting c USING (device_id) WHERE c.chip IN (0, 1, 5, 7) AND EXISTS (SELECT 1 FROM source s CROSS JOIN dvpp x
  WHERE s.target = 'dvpp' AND s.device_id = scope.device_id AND x.rowid BETWEEN s.first_row AND s.last_row AND x.stamp_ns IS NOT NULL)
-- @rows
SELECT dvpp AS "Dvpp Id", pick(engine_type, 'VDEC', 'JPEGD', 'PNGD', 'JPEGE', 'VPC', 'VENC', 'SCD') AS "Engine Type", engine_id AS "Engine ID",
  1.0 * time AS "All Time(us)", 1.0 * frames AS "All Frame", fixed(coalesce(rounded(time / 1000000.0 / nullif(span, 0), 3) * 100, 0.0), 6) AS "All Utilization(%)"
FROM (
  SELECT coalesce(x.dvpp_id, 0) AS dvpp, x.engine_type, x.engine_id, max(x.all_time) - min(x.all_time) AS time,
    max(x.all_frame) - min(x.all_frame) AS frames, max(x.stamp_ns) - min(x.stamp_ns) AS span, min(x.rowid) AS row
  FROM source s CROSS JOIN dvpp x WHERE s.target = 'dvpp' AND s.device_id = :device_id AND x.rowid BETWEEN s.first_row AND s.last_row AND x.stamp_ns IS NOT NULL
  GROUP BY dvpp, x.engine_type, x.engine_id
) ORDER BY min(row) OVER (PARTITION BY dvpp), CAST(engine_type AS TEXT), row
