-- @family svp
-- @style any
-- @title Counters
-- @each
SELECT n.file, s.standing, n.text AS what,
  CASE n.kind WHEN 'contradicted' THEN replace(n.text, 'msprof learn', 'msprof learn' || coalesce(' -dir ' || c.dir, '')) ELSE n.text END AS heading
FROM note n CROSS JOIN temp.choice c CROSS JOIN counters s WHERE n.kind IN ('counters', 'contradicted') ORDER BY n.rowid
