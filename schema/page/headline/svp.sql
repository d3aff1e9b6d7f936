-- The numbers of the model that took the longest.
-- @needs tasks
-- @each
SELECT p.grp AS _grp, p.steps AS _steps, p.total_ns AS _total, CASE WHEN (SELECT count(*) FROM temp.pace) > 1 THEN g.title || '; ' ELSE '' END AS _of
FROM temp.pace p JOIN temp.step_group g ON g.id = p.grp ORDER BY p.total_ns DESC, p.grp LIMIT 1
-- @rows
WITH work AS (
  SELECT total_int(total_ns) FILTER (WHERE k4 = 0) AS core_ns, total_int(ddr_read_bytes + ddr_write_bytes) AS bytes,
    total_int(mac_ppen) FILTER (WHERE class = 0) AS mac_ppen, total_int(cycles) FILTER (WHERE class = 0) AS matrix_cycles,
    (SELECT total_ns FROM temp.part WHERE grp = :_grp AND class IS NULL) AS idle_ns
  FROM temp.operator WHERE k1 = :_grp AND NOT is_rest
), line(place, label, value, unit, digits, note) AS (
  SELECT 1, 'Frames per second', decimal(1000000000 * :_steps, :_total, 2), '1/s', 2,
    say('page.fps', 'core', coalesce(fixed(decimal(1000000000 * :_steps, core_ns, 2), 2), word('unknown'))) FROM work
  UNION ALL SELECT 2, 'Time per inference', decimal(:_total, 1000000 * :_steps, 3), 'ms', 3, say('page.mean', 'count', :_steps)
  UNION ALL SELECT 3, 'Device busy', decimal(100 * (:_total - idle_ns), :_total, 1), '%', 1, 'of the time of inferences' FROM work
  UNION ALL SELECT 4, 'Mac efficiency', decimal(100 * mac_ppen, nullif(matrix_cycles, 0), 1), '%', 1, 'Mac Ppen of matrix layers' FROM work
  UNION ALL SELECT 5, 'DDR per inference', decimal(bytes, 1000000 * :_steps, 3), 'MB', 3, 'read and written' FROM work WHERE bytes > 0
  UNION ALL SELECT 6, 'DDR traffic', decimal(1000 * bytes, :_total, 1), 'MB/s', 1, 'mean over inferences' FROM work WHERE bytes > 0
)
SELECT label, value, unit,
  fixed(value, min(digits, CASE WHEN value >= 1000 THEN 0 WHEN value >= 100 THEN 1 WHEN value >= 10 THEN 2 ELSE 3 END)) AS text, :_of || word(note) AS note
FROM line WHERE value IS NOT NULL ORDER BY place
