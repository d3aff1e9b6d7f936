-- @family svp
-- @style any
-- @title Counters
-- @each
SELECT 'contradicted' AS standing, n.text AS what, replace(n.text, 'msprof learn', 'msprof learn' || coalesce(' -dir ' || c.dir, '')) AS heading
FROM note n CROSS JOIN temp.choice c CROSS JOIN counters s WHERE n.kind = 'contradicted' AND s.shown IS NULL ORDER BY n.rowid
