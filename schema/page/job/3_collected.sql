-- When collecting began, in s since 1970: as the data tells, or of what the host told when it began.
-- @family prof ascend2022 ascend910
-- @each
SELECT coalesce((SELECT max(CAST(value AS INTEGER)) FILTER (WHERE key = 'begin_ns') + max(CAST(value AS INTEGER)) FILTER (WHERE key = 'wall_offset_ns' AND value > 0) FROM meta),
  (SELECT min(host_realtime_ns) FROM device WHERE typeof(host_realtime_ns) = 'integer')) / 1000000000 AS collected_s
