-- What came of all traces of another tool: a row of data_check for each kind of data. The tools of cards lose tasks that we read, and name some
-- otherwise: there a contradiction is more than half of the events, and a lack is none.
INSERT INTO data_check
SELECT name, about, CASE WHEN name = 'vendor_events' THEN 'doubt'
    WHEN total_int(failed) > 0 AND (is_board OR about <> 'names' AND total_int(checked) >= 16 AND total_int(failed) * 2 > total_int(checked)) THEN 'contradiction' ELSE 'proof' END,
  CASE name WHEN 'vendor_events' THEN 'the vendor''s traces have all tasks and calls' ELSE 'the vendor''s traces come out' END, total_int(checked), total_int(failed),
  (SELECT f.file FROM temp.trace_check f WHERE f.failed > 0 AND f.name = t.name AND f.about = t.about LIMIT 1),
  (SELECT f.found FROM temp.trace_check f WHERE f.failed > 0 AND f.name = t.name AND f.about = t.about LIMIT 1)
FROM temp.trace_check t CROSS JOIN (SELECT value = 'svp' AS is_board FROM meta WHERE key = 'family') WHERE is_board OR name = 'vendor_traces' GROUP BY name, about;
DROP TABLE temp.trace_check;
DROP VIEW temp.event_verdict;
DROP TABLE temp.event_shift;
DROP TABLE temp.event_pair;
DROP TABLE temp.event_kind;
DROP TABLE temp.event_file;
DROP TABLE temp.event;
