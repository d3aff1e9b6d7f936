-- What limits the numbers of the page: contradictions and losses first, then notes of the import, then layouts that nobody compared with real data.
-- @family any
-- @style any
-- @each
SELECT 1 AS _any
-- @rows
SELECT kind, text FROM (
  SELECT 0 AS place, place AS row, CASE word WHEN 'contradicted' THEN word ELSE 'doubt' END AS kind,
    text || CASE word WHEN 'contradicted' THEN '; what rests on it is withheld' ELSE '' END AS text FROM told_standing WHERE is_wrong
  UNION ALL SELECT 1, 0, 'loss', amount || ' ' || what || ': numbers of this page are incomplete' AS text FROM loss
  UNION ALL SELECT 1, 1, 'loss', count(*) || CASE count(*) WHEN 1 THEN ' inference' ELSE ' inferences' END || ' lost tasks and count in no mean' FROM temp.left_out HAVING count(*)
  UNION ALL SELECT 2, n.rowid, n.kind, coalesce(n.file || ': ', '') || n.text FROM note n WHERE n.rowid IN (SELECT rowid FROM note ORDER BY rowid LIMIT 100)
  UNION ALL SELECT 3, 0, 'omitted', count(*) - 100 || ' more notes: msprof check lists them' FROM note HAVING count(*) > 100
  UNION ALL SELECT 4, 0, 'unverified', 'layout ' || layout || ', ' || count(DISTINCT file) || CASE count(DISTINCT file) WHEN 1 THEN ' file' ELSE ' files' END || ': never compared with real data'
  FROM source WHERE state = 'raw' AND verified = 0 AND records > 0 GROUP BY layout
) ORDER BY place, row, text
