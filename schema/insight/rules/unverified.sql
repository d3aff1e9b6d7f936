-- @family any
-- @style any
-- @title Not compared with real data
-- @advice Compare one number with the vendor's tool before you rely on it.
-- @source the columns verified of the table source and standing of the view counters
-- @each
SELECT count(DISTINCT layout) || CASE count(DISTINCT layout) WHEN 1 THEN ' layout of ' ELSE ' layouts of ' END || count(DISTINCT file)
  || CASE count(DISTINCT file) WHEN 1 THEN ' file' ELSE ' files' END AS subject, 'note' AS severity,
  'Compare one number with the vendor''s tool before you rely on it; msprof check lists the layouts.' AS advice, 0 AS _counters
FROM source WHERE state = 'raw' AND verified = 0 AND records > 0 HAVING count(*)
UNION ALL
SELECT 'the places of the counters', 'note', 'Times, names and calls do not need them. msprof learn finds the places from the vendor''s tables.', 1
FROM meta WHERE key = 'counters' AND value = 'assumed'
-- @rows
SELECT layout AS "Layout", count(DISTINCT file) AS "Files", total_int(records) AS "Records" FROM source
WHERE state = 'raw' AND CASE :_counters WHEN 1 THEN target = 'aicore_task' ELSE verified = 0 END AND records > 0
GROUP BY layout ORDER BY 3 DESC, layout
