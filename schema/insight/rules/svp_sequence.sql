-- @family svp
-- @style any
-- @title Repeated sequence of small operators
-- @advice Fuse the sequence into one layer: the time between its operators, and most of their loads and stores, go.
-- @source 2 to 10 operators, more than 5 times, more than 1 % of the time: the vendor's own analysis; without matrix layers, which fusion does not shorten
-- @formula time of the sequences - the longest operator of each
-- @threshold least_times 6
-- @threshold least_share 0.01
-- @each
SELECT s.types || ', ' || s.times || ' times' AS subject, p.mean_ns AS step_ns, s.span_ns AS time_ns, s.span_ns - s.longest_ns AS saving_ns,
  'medium' AS confidence, s.grp AS _grp, s.types AS _types
FROM (SELECT grp, types, count(*) AS times, total_int(span_ns) AS span_ns, total_int(longest_ns) AS longest_ns FROM temp.sequence GROUP BY grp, types) s
JOIN temp.pace p ON p.grp = s.grp
WHERE s.times >= :least_times AND s.span_ns > :least_share * p.mean_ns ORDER BY 4 DESC, s.grp, s.types
-- @rows
SELECT first_task AS "First task", last_task AS "Last task", tasks AS "Tasks", names AS "Operators", decimal(span_ns, 1000, 3) AS "Time(us)",
  decimal(longest_ns, 1000, 3) AS "Longest(us)"
FROM temp.sequence WHERE grp = :_grp AND types = :_types ORDER BY span_ns DESC, first_task
