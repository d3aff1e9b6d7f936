-- @family any
-- @style any
-- @title Checks
-- @each
SELECT 1 AS _any FROM temp.choice c WHERE EXISTS (SELECT 1 FROM data_check WHERE failed > 0 OR c.each_step)
-- @rows
SELECT s.what AS "Data", d.says AS "Must be true", d.checked AS "Checked", d.failed AS "Failed",
  CASE d.weight WHEN 'proof' THEN 'lack of proof' ELSE d.weight END AS "Failure is a", d.file AS "First file", d.found AS "Found"
FROM data_check d JOIN standing s USING (about) CROSS JOIN temp.choice c WHERE d.failed > 0 OR c.each_step ORDER BY d.failed = 0, s.place, d.rowid
