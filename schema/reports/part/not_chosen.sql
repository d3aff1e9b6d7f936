-- Why there is no table of an inference or iteration, though some were recorded.
WITH not_chosen AS (
  SELECT CASE WHEN c.chosen THEN 'nothing of an ' || w.one || ' of this model and number was recorded' ELSE 'none shown: ' || w.option || ' N chooses an ' || w.one || ', --each shows all' END AS text
  FROM temp.choice c JOIN (SELECT 'svp' AS family, 'inference' AS one, '--picture' AS option UNION ALL SELECT 'other', 'iteration', '--iteration-id') w
    ON (w.family = 'svp') = ((SELECT value FROM meta WHERE key = 'family') = 'svp')
)
