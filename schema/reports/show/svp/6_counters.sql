-- @family svp
-- @style any
-- @title Counters
-- @each
SELECT NULL AS file, c.standing, CASE c.standing WHEN 'contradicted' THEN 'counters are not shown: ' || s.reason ELSE n.text END AS what,
  CASE c.standing WHEN 'contradicted' THEN 'counters are not shown: ' || s.reason || '; msprof learn' || coalesce(' -dir ' || h.dir, '')
    || ' finds their places from the vendor''s tables' ELSE n.text END AS heading
FROM counters c CROSS JOIN temp.choice h LEFT JOIN standing s ON s.about = 'counters' LEFT JOIN note n ON n.kind = 'counters'
WHERE c.standing IN ('contradicted', 'assumed')
