-- What is known of a job as a whole. A rank below 0 is not known.
-- @title job
-- @family any
-- @style any
-- @types text text text? text text? int? text? text? int? int? int int
-- @each
SELECT 1 AS _one
-- @rows
WITH said AS (
  SELECT file, json_extract(text, '$.hostname') AS host, json_extract(text, '$.rank_id') AS rank_id, json_extract(text, '$.drvVersion') AS driver,
    json_extract(text, '$.platform_version') AS chip
  FROM control WHERE name = 'info.json' AND json_valid(text)
), facts AS (
  SELECT max(CAST(value AS TEXT)) FILTER (WHERE key = 'family') AS family, max(CAST(value AS INTEGER)) FILTER (WHERE key = 'begin_ns') AS begin_ns,
    max(CAST(value AS INTEGER)) FILTER (WHERE key = 'wall_offset_ns') AS wall_offset_ns
  FROM meta
)
SELECT :run AS run, :name AS name, :label AS label, f.family, (SELECT CAST(max(host) AS TEXT) FROM said) AS host,
  (SELECT max(CAST(rank_id AS INTEGER)) FROM said WHERE rank_id >= 0) AS rank,
  (SELECT CAST(max(driver) AS TEXT) FROM said) AS driver, (SELECT CAST(max(chip) AS TEXT) FROM said) AS chip,
  coalesce(f.begin_ns + f.wall_offset_ns, (SELECT min(host_realtime_ns) FROM device),
    (SELECT min(CAST(json_extract(info, '$.clock_realtime_ns') AS INTEGER)) FROM device WHERE json_valid(info))) AS started_ns,
  f.wall_offset_ns, (SELECT count(*) FROM device WHERE device_id >= 0) AS devices, EXISTS (SELECT 1 FROM loss) AS damaged
FROM facts f
