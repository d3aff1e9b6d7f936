-- What a comparison takes as a group: a device. Its steps are iterations, else the whole collection. A board's own script has made its groups.
-- @when EXISTS (SELECT 1 FROM temp.sqlite_schema WHERE name = 'device_track')
CREATE TEMP TABLE sample_group AS
SELECT row_number() OVER (ORDER BY track) AS id, 'device ' || track AS title,
  CASE WHEN EXISTS (SELECT 1 FROM temp.range r WHERE r.track = d.track) THEN 'iteration' ELSE 'collection' END AS what, track
FROM temp.device_track d;
-- @end
