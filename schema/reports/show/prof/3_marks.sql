-- @title Marks and ranges
-- @time Total Time(us)
-- @top 5
-- @later
-- @use prof_chosen
-- @each
SELECT _from_ns, _to_ns FROM chosen WHERE EXISTS (SELECT 1 FROM msproftx)
-- @tally
SELECT CASE event_type WHEN 0 THEN 'mark' WHEN 3 THEN 'mark' ELSE 'range' END AS what, NULL AS domain, message, dur_ns AS value
FROM msproftx WHERE info_type IS NOT 1 AND start_ns > :_from_ns AND start_ns <= :_to_ns
UNION ALL
SELECT CASE event_type WHEN 0 THEN 'mark' WHEN 3 THEN 'mark' ELSE 'range' END, domain, message, dur_ns
FROM stream_mark WHERE start_ns > :_from_ns AND start_ns <= :_to_ns
-- @use marks
-- @rows
