-- Compares the events of another tool's trace with ours: temp.event has those of both, temp.event_file what is compared, and how exact it is.
-- `what` says of what an event is: the kind of data, and the number of the task or the name of the call. Those of one kind are paired in their order.
DELETE FROM temp.event_kind;
DELETE FROM temp.event_pair;
DELETE FROM temp.event_shift;

INSERT INTO temp.event_kind
SELECT what, substr(what, 1, instr(what, ' ') - 1) AS about, count(*) FILTER (WHERE ours) AS ours, count(*) FILTER (WHERE NOT ours) AS theirs, min(start_ns) AS start_ns
FROM temp.event GROUP BY what;

INSERT INTO temp.event_pair
SELECT what, substr(what, 1, instr(what, ' ') - 1) AS about, number, max(name) FILTER (WHERE ours) AS name, max(name) FILTER (WHERE NOT ours) AS their_name,
  max(start_ns) FILTER (WHERE ours) AS start_ns, max(start_ns) FILTER (WHERE NOT ours) AS their_start_ns,
  max(dur_ns) FILTER (WHERE ours) AS dur_ns, max(dur_ns) FILTER (WHERE NOT ours) AS their_dur_ns
FROM (SELECT *, row_number() OVER (PARTITION BY ours, what ORDER BY start_ns, dur_ns, name) AS number FROM temp.event)
WHERE what IN (SELECT what FROM temp.event_kind WHERE ours = theirs) GROUP BY what, number;

-- Clocks have origins of their own: what counts is the distance between starts. The median is right where most starts are.
INSERT INTO temp.event_shift
SELECT shift, (SELECT min(start_ns) FROM temp.event_pair) AS first_ns
FROM (SELECT their_start_ns - start_ns AS shift, row_number() OVER (ORDER BY their_start_ns - start_ns) AS row, count(*) OVER () AS rows FROM temp.event_pair)
WHERE row = (rows + 1) / 2;

-- An event differs in its duration, in its start, or both; names are a kind of data of their own. Events that the records have not contradict for boards.
INSERT INTO temp.trace_check
SELECT 'vendor_traces', about, count(*), total_int(longer OR later), (SELECT file FROM temp.event_file),
  (SELECT what || ', occurrence ' || number || ', ' || CASE WHEN longer THEN 'duration: the trace says ' || their_dur_ns || ' ns, the records ' || dur_ns || ' ns'
     ELSE 'start: the trace says ' || (their_start_ns - shift - first_ns) || ' ns behind the first, the records ' || (start_ns - first_ns) || ' ns' END
   FROM temp.event_verdict v WHERE v.about = e.about AND (longer OR later) ORDER BY v.start_ns LIMIT 1)
FROM temp.event_verdict e GROUP BY about
UNION ALL
SELECT 'vendor_traces', 'names', count(*), total_int(renamed), (SELECT file FROM temp.event_file),
  (SELECT what || ', occurrence ' || number || ', name: the trace says ''' || substr(their_name, 1, 60) || ''', the records ''' || substr(name, 1, 60) || ''''
   FROM temp.event_verdict WHERE about <> 'calls' AND renamed ORDER BY start_ns LIMIT 1)
FROM temp.event_verdict WHERE about <> 'calls' AND renamed IS NOT NULL HAVING count(*)
UNION ALL
SELECT 'vendor_traces', about, total_int(theirs), total_int(theirs), (SELECT file FROM temp.event_file), min(what) || ': the trace has it, the records have not'
FROM temp.event_kind WHERE ours = 0 AND (SELECT value FROM meta WHERE key = 'family') = 'svp' GROUP BY about
UNION ALL
SELECT 'vendor_events', about, total_int(max(ours, theirs)), total_int(abs(ours - theirs)), (SELECT file FROM temp.event_file),
  (SELECT k.what || ': ' || k.theirs || ' in the trace, ' || k.ours || ' in the records'
   FROM temp.event_kind k WHERE k.ours <> k.theirs AND k.ours > 0 AND k.about = e.about ORDER BY k.start_ns LIMIT 1)
FROM temp.event_kind e WHERE ours > 0 GROUP BY about;
