-- @family prof
-- @file operator_details
-- @newline crlf
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM temp.op WHERE name NOT IN (SELECT id FROM temp.step_name))
-- @rows
SELECT word('framework_text', 'text', o.name) AS "Name", coalesce(word('cell_text', 'text', o.shapes), '') AS "Input Shapes", coalesce(word('cell_text', 'text', o.stack), '') AS "Call Stack",
  repr((o.end_ns - o.start_ns - o.inner_ns) / 1000.0) AS "Host Self Duration(us)",
  repr((o.end_ns - o.start_ns) / 1000.0) AS "Host Total Duration(us)", coalesce(repr(double_of(k.own)), 0) AS "Device Self Duration(us)",
  coalesce(repr(double_of(k.whole)), 0) AS "Device Total Duration(us)", coalesce(repr(double_of(k.own_core)), 0) AS "Device Self Duration With AICore(us)",
  coalesce(repr(double_of(k.whole_core)), 0) AS "Device Total Duration With AICore(us)"
FROM temp.op o LEFT JOIN temp.took k ON k.id = o.id
WHERE o.name NOT IN (SELECT id FROM temp.step_name) ORDER BY o.id
