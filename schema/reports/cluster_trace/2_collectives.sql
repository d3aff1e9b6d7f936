-- Those of a straggler say that it was late, those of others for whom they wait.
-- @process Rank {process}
-- @thread Group
-- @each
SELECT from_ns AS _from_ns, to_ns AS _to_ns FROM moment
-- @rows
SELECT 1 AS layer, r.rank AS process, t.track AS track, CASE WHEN a.late THEN word('late: ') ELSE '' END || coalesce(c.type, 'N/A') || ' ' || c.number AS name,
  c.start_ns + a.shift_ns AS start_ns, coalesce(c.dur_ns, 0) AS dur_ns, c.number AS "args.Number", c.rank_size AS "args.Ranks",
  CASE WHEN NOT a.late THEN b.ranks END AS "args.Waits for", a.title AS _process, c.communicator AS _thread
FROM collective_row c JOIN rank r USING (doc, device_id) JOIN aligned a ON a.rank = r.rank JOIN track t USING (communicator)
LEFT JOIN blamed b ON b.communicator = c.communicator AND b.type = coalesce(c.type, '') AND b.number = c.number
WHERE (NOT EXISTS (SELECT 1 FROM wanted) OR r.rank IN (SELECT rank FROM wanted)) AND c.start_ns + a.shift_ns + coalesce(c.dur_ns, 0) >= coalesce(:_from_ns, c.start_ns + a.shift_ns)
  AND c.start_ns + a.shift_ns <= coalesce(:_to_ns, c.start_ns + a.shift_ns)
