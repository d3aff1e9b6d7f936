-- @title Checks
-- @each
SELECT 1 AS _any FROM temp.choice WHERE each_step AND EXISTS (SELECT 1 FROM data_check)
-- @rows
SELECT s.what AS "Data", d.says AS "Must be true", d.failed AS "Failed", d.checked AS "/Checked",
  CASE d.weight WHEN 'proof' THEN 'lack of proof' ELSE d.weight END AS "Failure is a",
  coalesce(d.found || coalesce(' (' || d.file || ')', ''), d.file) AS "Found"
FROM data_check d JOIN standing s USING (about) ORDER BY d.failed = 0, s.place, d.rowid
