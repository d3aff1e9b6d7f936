-- What the cube cores did of what they can do.
-- @family prof ascend2022
-- @needs tasks
-- @each
SELECT p.grp AS _grp, p.total_ns AS _total FROM temp.pace p ORDER BY p.total_ns DESC, p.grp LIMIT 1
-- @rows
WITH used AS (
  SELECT c.mac_cycles, c.mhz, c.cores, h.cube_ops, h.name FROM temp.cube c LEFT JOIN temp.chips h ON h.chip = c.chip WHERE c.grp = :_grp
), line(place, label, value, unit, digits, note) AS (
  SELECT 1, 'Cube cores busy', rounded(100 * mac_cycles / (:_total / 1000.0 * mhz * cores), 1), '%', 1, 'cycles in which they multiplied' FROM used
  UNION ALL SELECT 2, 'Used', rounded(cube_ops * mac_cycles / (:_total * 1000.0), 2), 'TFLOPS', 2,
    coalesce(say('page.peak', 'peak', fixed(rounded(cube_ops * mhz * cores / 1e6, 1), 1), 'chip', name), say('page.bits')) FROM used
)
SELECT label, value, unit,
  fixed(value, min(digits, CASE WHEN value >= 1000 THEN 0 WHEN value >= 100 THEN 1 WHEN value >= 10 THEN 2 ELSE 3 END)) AS text, note FROM line WHERE value IS NOT NULL ORDER BY place
