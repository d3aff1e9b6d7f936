-- @title Repeated sequence of operators
-- @needs tasks
-- @advice Fuse the sequence into one operator: the time between its operators, and most of their loads and stores, go.
-- @start fusing {subject}
-- @source 2 to 10 operators, at least {least_times} times, more than {least_share%} % of the time: the vendor's own analysis; without matrix operators, which fusion does not shorten
-- @formula time of the sequences - the longest operator of each
-- @each
SELECT say('subject.sequence', 'times', s.times, 'types',
    (SELECT group_concat(coalesce(t.type, 'N/A'), ' + ') FROM (SELECT row FROM temp.sequence_part WHERE sequence = s.id ORDER BY place) x JOIN temp.named_task t ON t.row = x.row)) AS subject,
  p.mean_ns AS step_ns, s.span_ns AS time_ns, s.saving_ns, 'medium' AS confidence, s.id AS _id, s.grp AS _grp
FROM temp.sequence s JOIN temp.pace p ON p.grp = s.grp WHERE s.known = 0 AND s.span_ns > :least_share * p.mean_ns ORDER BY s.saving_ns DESC, s.id
-- @rows
SELECT a.number AS "First task", z.number AS "Last task", r.tasks AS "Tasks", coalesce(a.name, 'N/A') || ' .. ' || coalesce(z.name, 'N/A') AS "Operators",
  decimal(r.span_ns, 1000, 3) AS "Time(us)", decimal(r.longest_ns, 1000, 3) AS "Longest(us)"
FROM (SELECT * FROM temp.sequence_run WHERE sequence = :_id ORDER BY span_ns DESC, start_ns LIMIT 10) r
JOIN temp.named_task a ON a.row = r.first_row JOIN temp.named_task z ON z.row = r.last_row ORDER BY r.span_ns DESC, r.start_ns
-- @why
SELECT text FROM temp.no_step
