-- @title Calls to the system
-- @time Total Time(us)
-- @top 5
-- @later
-- @use prof_chosen
-- @each
SELECT _from_ns, _to_ns FROM chosen WHERE EXISTS (SELECT 1 FROM os_call)
-- @rows
SELECT name AS "Name", tid AS "Thread ID", count(*) AS "Count", decimal(total_int(CAST(round(dur_ns) AS INTEGER)), 1000, 3) AS "Total Time(us)",
  decimal(total_int(CAST(round(dur_ns) AS INTEGER)), 1000 * count(*), 3) AS "Avg(us)", decimal(CAST(round(max(dur_ns)) AS INTEGER), 1000, 3) AS "Max(us)"
FROM os_call WHERE start_ns > :_from_ns AND start_ns <= :_to_ns GROUP BY name, tid ORDER BY total(dur_ns) DESC, name, tid
