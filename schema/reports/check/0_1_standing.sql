-- @title Standing
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM standing)
-- @rows
SELECT t.what AS "Data", CASE WHEN t.word GLOB 'consistent *' THEN 'consistent' ELSE t.word END AS "Standing",
  coalesce(t.reason, CASE WHEN t.word GLOB 'consistent *' THEN 'in assumed places, not verified: msprof learn' WHEN t.word = 'proven' THEN
  (SELECT total_int(checked) FROM data_check c WHERE c.about = t.about AND c.weight = 'proof')
  || ' cells of the vendor''s tables came out' ELSE s.checks || CASE s.checks WHEN 1 THEN ' check holds' ELSE ' checks hold' END END) AS "Why"
FROM told_standing t JOIN standing s USING (about) ORDER BY t.place
