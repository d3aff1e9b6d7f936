-- @title Known sequence in pieces
-- @needs tasks
-- @advice Use one operator in place of these.
-- @source the guide of SS928: activations that the core has; the sequences are in `known.txt`; more than {least_share%} % of the time: the vendor's own analysis
-- @formula time of the sequences - the longest operator of each
-- @each
WITH board AS (SELECT value = 'svp' AS is_board FROM meta WHERE key = 'family'),
named AS (
  SELECT s.*, k.name, k.text, k.fuses AND b.is_board AS fuses, CASE WHEN b.is_board THEN 'svp' ELSE 'ascend' END AS family,
    (SELECT group_concat(coalesce(t.type, 'N/A'), ' + ') FROM (SELECT row FROM temp.sequence_part WHERE sequence = s.id ORDER BY place) x JOIN temp.named_task t ON t.row = x.row) AS types
  FROM temp.sequence s JOIN temp.known k ON k.rowid = s.known CROSS JOIN board b
)
SELECT say('known.subject', 'name', n.name, 'count', n.tasks, 'types', n.types, 'times', n.times) AS subject, say('known.start', 'name', n.name, 'types', n.types) AS start,
  p.mean_ns AS step_ns, n.span_ns AS time_ns, iif(n.fuses, n.span_ns, n.saving_ns) AS saving_ns, 'medium' AS confidence,
  say(iif(n.fuses, 'known.fuses', 'known.one')) AS formula, say('known.' || n.text || '.' || n.family, 'name', n.name) AS advice, n.id AS _id, n.grp AS _grp
FROM named n JOIN temp.pace p ON p.grp = n.grp WHERE n.span_ns > :least_share * p.mean_ns ORDER BY 5 DESC, n.id
-- @rows
SELECT a.number AS "First task", z.number AS "Last task", r.tasks AS "Tasks", coalesce(a.name, 'N/A') || ' .. ' || coalesce(z.name, 'N/A') AS "Operators",
  decimal(r.span_ns, 1000, 3) AS "Time(us)", decimal(r.longest_ns, 1000, 3) AS "Longest(us)"
FROM (SELECT * FROM temp.sequence_run WHERE sequence = :_id ORDER BY span_ns DESC, start_ns LIMIT 10) r
JOIN temp.named_task a ON a.row = r.first_row JOIN temp.named_task z ON z.row = r.last_row ORDER BY r.span_ns DESC, r.start_ns
-- @why
SELECT text FROM temp.no_step
