-- The moment of the export, as names of output files carry it; and what makes host times those of the day.
WITH stamp AS (
  SELECT strftime('%Y%m%d%H%M%S', 'now', 'localtime') AS time, (SELECT value FROM meta WHERE key = 'wall_offset_ns') AS _wall,
    (SELECT value FROM meta WHERE key = 'pid') AS _pid, coalesce((SELECT value FROM meta WHERE key = 'core_count'), 1) AS _cores
)
