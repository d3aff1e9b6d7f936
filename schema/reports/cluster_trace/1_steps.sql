-- @process Rank {process}
-- @thread Steps
-- @started s.rank, s.start_ns
-- @each
SELECT from_ns AS _from_ns, to_ns AS _to_ns FROM moment
-- @rows
SELECT 1 AS layer, s.rank AS process, 0 AS track, 'Step ' || coalesce(s.label, s.number) AS name, s.start_ns + a.shift_ns AS start_ns, s.span_ns AS dur_ns,
  s.computing_ns / 1000.0 AS "args.Computing(us)", s.aicpu_ns / 1000.0 AS "args.AI CPU(us)", s.exposed_ns / 1000.0 AS "args.Communication not overlapped(us)",
  s.free_ns / 1000.0 AS "args.Free(us)", a.title AS _process
FROM step s JOIN aligned a USING (rank)
WHERE (NOT EXISTS (SELECT 1 FROM wanted) OR s.rank IN (SELECT rank FROM wanted))
  AND s.start_ns + a.shift_ns + s.span_ns >= coalesce(:_from_ns, s.start_ns + a.shift_ns) AND s.start_ns + a.shift_ns <= coalesce(:_to_ns, s.start_ns + a.shift_ns)
