-- @title Stragglers
-- @time Late(us)
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM straggler WHERE votes > 0 OR verdict <> 'no')
-- @rows
SELECT rank AS "Rank", votes AS "Votes", rounds AS "Rounds", met AS "Collectives", CASE WHEN cause = 'computing' THEN 'operators' ELSE kind END AS "Told by",
  CASE WHEN met > 0 THEN decimal(late_ns, met * 1000, 3) END AS "Late(us)", CASE WHEN rounds > 0 THEN rounded(share * all_ns / rounds / 1000, 3) END AS "Own(us)",
  rounded(share * 100, 2) AS "Of its steps(%)", verdict AS "Straggler",
  cause AS "Cause", CASE WHEN cause = 'computing' THEN slowest END AS "Operator", c.title AS "Group",
  r.mean_mhz AS "Clock(MHz)"
FROM straggler JOIN rank r USING (rank) LEFT JOIN cohort c USING (rank) WHERE votes > 0 OR verdict <> 'no' ORDER BY verdict = 'no', share DESC, votes DESC, rank
-- @why
SELECT 'no rank is later than the others'
