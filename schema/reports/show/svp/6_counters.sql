-- @family svp
-- @style any
-- @title Counters
-- @each
SELECT NULL AS file, standing, what,
  CASE WHEN older THEN replace(what, 'msprof learn', learn) WHEN standing = 'contradicted' THEN what || '; ' || learn || ' finds their places from the vendor''s tables'
    ELSE what END AS heading
FROM (SELECT c.standing, 'msprof learn' || coalesce(' -dir ' || h.dir, '') AS learn, c.standing = 'contradicted' AND s.about IS NULL AS older,
        CASE WHEN s.standing = 'contradicted' THEN 'counters are not shown: ' || s.reason ELSE n.text END AS what
      FROM counters c CROSS JOIN temp.choice h LEFT JOIN standing s ON s.about = 'counters'
        LEFT JOIN note n ON n.kind IN ('counters', 'contradicted') -- the latter of databases before standings
      WHERE c.standing IN ('contradicted', 'assumed'))
