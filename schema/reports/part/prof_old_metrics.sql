-- The metrics of the older style: of the core that was counted, and the ratios of which others are made.
, shown AS (
  SELECT t.*, half.name IS NOT NULL AS is_half, (SELECT max(stars) FROM setting JOIN chip USING (chip)) AS stars
  FROM metric_term t LEFT JOIN half_unit half ON half.name = t.name
  WHERE core = (SELECT CASE WHEN EXISTS (SELECT 1 FROM task WHERE aic_cycles IS NOT NULL) THEN 'aic'
    WHEN EXISTS (SELECT 1 FROM task WHERE aiv_cycles IS NOT NULL) THEN 'aiv' END)
), ratio AS (
  SELECT core, max(value) FILTER (WHERE name = 'mac') AS mac, max(value) FILTER (WHERE name = 'vec') AS vec, max(value) FILTER (WHERE name = 'mte2') AS mte2
  FROM shown WHERE title LIKE '%\_ratio' ESCAPE '\' GROUP BY core
)
