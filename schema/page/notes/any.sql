-- What limits the numbers of the page: contradictions and losses first, then notes of the import, then layouts that nobody compared with real data.
-- @each
SELECT 1 AS _any
-- @rows
SELECT kind, text FROM (
  SELECT 0 AS place, place AS row, CASE word WHEN 'contradicted' THEN word ELSE 'doubt' END AS kind,
    say('standing.line', 'what', word(what), 'word', word(word)) || coalesce(word(': ') || word(reason), '') || CASE word WHEN 'contradicted' THEN say('page.withheld') ELSE '' END AS text
  FROM told_standing WHERE is_wrong
  UNION ALL SELECT 1, 0, 'loss', say('page.loss', 'amount', amount, 'what', word(what)) AS text FROM loss
  UNION ALL SELECT 1, 1, 'loss', say('page.left_out', 'count', say('count.inference' || CASE count(*) WHEN 1 THEN '' ELSE 's' END, 'count', count(*))) FROM temp.left_out HAVING count(*)
  UNION ALL SELECT 2, n.rowid, n.kind, coalesce(n.file || ': ', '') || word(n.text) FROM note n WHERE n.rowid IN (SELECT rowid FROM note ORDER BY rowid LIMIT 100)
  UNION ALL SELECT 3, 0, 'omitted', say('page.notes', 'count', count(*) - 100) FROM note HAVING count(*) > 100
  UNION ALL SELECT 4, 0, 'unverified', say('page.layout', 'layout', layout, 'files', say('count.file' || CASE count(DISTINCT file) WHEN 1 THEN '' ELSE 's' END, 'count', count(DISTINCT file)))
  FROM source WHERE state = 'raw' AND verified = 0 AND records > 0 GROUP BY layout
) ORDER BY place, row, text
