-- @title Verdict
-- @needs tasks
-- @use verdict
-- @each
SELECT text, legend FROM (
  SELECT t.place, t.head || coalesce(say('verdict.mac', 'share', percent_text(o.mac_ppen, o.cycles)), '') || t.tail AS text, say('verdict.legend.svp') AS legend
  FROM told t LEFT JOIN (SELECT k1, total_int(mac_ppen) AS mac_ppen, total_int(cycles) AS cycles FROM temp.operator WHERE class = 0 AND NOT is_rest GROUP BY k1) o ON o.k1 = t.grp
  UNION ALL SELECT place, text, NULL FROM rest)
ORDER BY place
