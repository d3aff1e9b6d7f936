-- @style default
-- @title Board during the run
-- @each
WITH span AS (SELECT count(*) AS samples, max(uptime_ns) - min(uptime_ns) AS ns FROM board_sample WHERE phase = 'run'),
other AS (SELECT group_concat(text, char(10)) AS texts FROM (SELECT word(text) AS text FROM board_other ORDER BY place))
SELECT samples, CASE WHEN texts IS NULL THEN word('nothing else was seen at work') ELSE texts END
  || CASE WHEN EXISTS (SELECT 1 FROM board_series) THEN char(10) || say('board.unverified') ELSE '' END AS heading
FROM span CROSS JOIN other WHERE EXISTS (SELECT 1 FROM board_sample)
-- @rows
WITH value AS (
  SELECT 1 AS place, 0 AS item, 'Load, 1 minute' AS what, NULL AS unit, phase, load AS value FROM board_sample
  UNION ALL SELECT 2, 0, 'Processors', '%', phase, busy FROM board_use
  UNION ALL SELECT 3, 0, 'The program', '%', phase, program FROM board_use WHERE phase = 'run'
  UNION ALL SELECT 4, 0, 'Other programs', '%', phase, CASE phase WHEN 'run' THEN max(busy - program, 0) WHEN 'before' THEN busy END FROM board_use
  UNION ALL SELECT 5, 0, 'Memory available', 'MiB', phase, available_kb / 1024.0 FROM board_sample
  UNION ALL SELECT 6, 0, 'Memory of the program', 'MiB', phase, program_kb / 1024.0 FROM board_sample
  UNION ALL SELECT 7, h.zone, 'Temperature ' || h.zone || coalesce(' ' || h.type, ''), 'C', s.phase, h.millidegree / 1000.0
  FROM board_heat h JOIN board_sample s ON s.id = h.sample_id
  UNION ALL SELECT 8, e.id, e.name,
    CASE e.kind WHEN 'percent' THEN '%' WHEN 'kb' THEN 'KiB' WHEN 'mb' THEN 'MiB' END, s.phase, v.value
  FROM (SELECT * FROM board_number ORDER BY id LIMIT 50) e
  JOIN board_value v ON v.series_id = e.id JOIN board_sample s ON s.id = v.sample_id)
SELECT what AS "What", unit AS "Unit", rounded(max(CASE phase WHEN 'before' THEN value END), 2) AS "Before",
  rounded(min(CASE phase WHEN 'run' THEN value END), 2) AS "Least", rounded(avg(CASE phase WHEN 'run' THEN value END), 2) AS "Mean",
  rounded(max(CASE phase WHEN 'run' THEN value END), 2) AS "Most", rounded(max(CASE phase WHEN 'after' THEN value END), 2) AS "After"
FROM value WHERE value IS NOT NULL GROUP BY place, item, what, unit ORDER BY place, item
