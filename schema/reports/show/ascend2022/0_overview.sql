-- @style default
-- @title Overview
-- @decides Name, Mean(us), Share(%), Verdict, Max(us)
-- @needs tasks
-- @time Total(us)
-- @facts
-- @top 10
-- @threshold mac
-- @threshold mte2
-- @threshold together
-- @threshold each_unit
-- @use ascend_overview_groups
-- @each
-- @without
SELECT column1 FROM (VALUES ('Type'), ('Total(us)'))
-- @tally
SELECT t.stream_id, max(t.dur_ns, 0) AS value FROM temp.choice c CROSS JOIN task t
WHERE c.grouping = 'stream' AND t.device_id = :_grp AND t.unit IS NOT 1 AND t.start_ns IS NOT NULL
  AND (NOT EXISTS (SELECT 1 FROM temp.range r WHERE r.track = :_grp)
    OR t.start_ns < (SELECT r.end_ns FROM temp.range r WHERE r.track = :_grp AND r.start_ns <= t.start_ns ORDER BY r.start_ns DESC LIMIT 1))
-- @use ascend_overview
-- @rows
-- @use ascend_overview_absent
-- @why
