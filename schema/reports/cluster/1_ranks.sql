-- @title Ranks
-- @time Step(us)
-- @each
SELECT 1 AS _any
-- @rows
WITH pace AS (
  SELECT rank, count(*) AS steps, total_int(span_ns) AS span, total_int(computing_ns) AS computing, total_int(aicpu_ns) AS aicpu, total_int(exposed_ns) AS exposed,
    total_int(free_ns) AS free, total_int(bubble_ns) AS bubble FROM step GROUP BY rank
)
SELECT r.rank AS "Rank", r.host AS "Host", r.device_id AS "Device", r.name AS "Directory", p.steps AS "Steps", decimal(p.span, p.steps * 1000, 3) AS "Step(us)",
  decimal(p.computing, p.steps * 1000, 3) AS "Computing(us)", decimal(p.aicpu, p.steps * 1000, 3) AS "AI CPU(us)",
  decimal(p.exposed, p.steps * 1000, 3) AS "Communication not overlapped(us)", decimal(p.free, p.steps * 1000, 3) AS "Free(us)",
  decimal(p.bubble, p.steps * 1000, 3) AS "Bubble(us)", decimal(r.launch_delay_ns, 1000, 3) AS "Launch delay(us)",
  r.mean_mhz AS "Clock(MHz)", r.lowest_mhz AS "Lowest clock(MHz)", l.met AS "Collectives",
  CASE WHEN l.met > 0 THEN decimal(l.wait_ns, l.met * 1000, 3) END AS "Wait(us)", CASE WHEN l.met > 0 THEN decimal(l.transmit_ns, l.met * 1000, 3) END AS "Transmit(us)"
FROM rank r JOIN late l USING (rank) LEFT JOIN pace p USING (rank) ORDER BY r.rank
