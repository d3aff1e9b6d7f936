-- @family any
-- @style any
-- @title Stragglers
-- @time Late(us)
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM straggler WHERE votes > 0)
-- @rows
SELECT rank AS "Rank", votes AS "Votes", met AS "Collectives", source AS "Told by", CASE WHEN met > 0 THEN decimal(late_ns, met * 1000, 3) END AS "Late(us)",
  CASE WHEN span_ns > 0 THEN decimal(late_ns * 100, span_ns, 2) END AS "Of its steps(%)", verdict AS "Straggler", r.mean_mhz AS "Clock(MHz)"
FROM straggler JOIN rank r USING (rank) WHERE votes > 0 ORDER BY votes DESC, late_ns DESC, rank
-- @why
SELECT 'no rank is later than the others'
