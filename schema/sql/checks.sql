-- Runs after the checks of the family: what each kind of data is worth, by what its checks found.

CREATE TEMP TABLE IF NOT EXISTS kind_of(target, about);

-- Cards write a few odd records each day. A trial fails where more than half of what it looked at is wrong, and where that is not a handful:
-- `least` must have been looked at.
CREATE TEMP TABLE IF NOT EXISTS trial(name, about, weight, says, checked, failed, file, found, least);
INSERT INTO data_check
SELECT name, about, weight, says, checked, CASE WHEN checked >= least AND failed * 2 > checked THEN failed ELSE 0 END, file, found FROM temp.trial WHERE checked > 0;
DROP TABLE temp.trial;

-- More than half of a file in which no record begins is not a file of the layout.
INSERT INTO data_check
SELECT 'form', about, 'contradiction', 'records begin in most bytes of a file', count(*), count(*) FILTER (WHERE damaged_bytes > size / 2), min(file) FILTER (WHERE damaged_bytes > size / 2), NULL
FROM source JOIN temp.kind_of USING (target) WHERE state = 'raw' AND size >= 512 GROUP BY about; -- less may be a record that was cut

DELETE FROM data_check WHERE about NOT IN (SELECT about FROM standing);
UPDATE data_check SET file = NULL, found = NULL WHERE failed = 0;

UPDATE standing SET checks = (SELECT count(*) FROM data_check c WHERE c.about = standing.about AND c.weight <> 'proof'),
  failed = (SELECT count(*) FROM data_check c WHERE c.about = standing.about AND c.weight <> 'proof' AND c.failed > 0);
UPDATE standing SET standing = CASE
  WHEN EXISTS (SELECT 1 FROM data_check c WHERE c.about = standing.about AND c.weight = 'contradiction' AND c.failed > 0) THEN 'contradicted'
  WHEN EXISTS (SELECT 1 FROM data_check c WHERE c.about = standing.about AND c.weight = 'proof')
    AND NOT EXISTS (SELECT 1 FROM data_check c WHERE c.about = standing.about AND c.weight = 'proof' AND c.failed > 0) THEN 'proven'
  WHEN failed > 0 OR checks = 0 THEN 'unproven'
  ELSE 'consistent' END;
-- What was found says by itself what is wrong, but for a bare number. Without it the reason is what should be true, and how often it is not.
UPDATE standing SET reason = (SELECT coalesce(c.found || CASE WHEN c.found GLOB '[0-9]*' THEN ', but ' || c.says ELSE '' END,
    c.says || ': not so in ' || c.failed || ' of ' || c.checked) || coalesce(' (' || c.file || ')', '')
    || CASE WHEN c.name = 'vendor_tables' AND (SELECT value FROM meta WHERE key = 'family') = 'svp' THEN '; msprof learn finds the places that explain the tables' ELSE '' END
  FROM data_check c WHERE c.about = standing.about AND c.weight <> 'proof' AND c.failed > 0 ORDER BY c.weight, c.rowid LIMIT 1)
WHERE failed > 0 AND standing <> 'proven';
UPDATE standing SET reason = 'no check applies' WHERE checks = 0 AND failed = 0;
DROP TABLE temp.kind_of;
