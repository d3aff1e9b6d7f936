-- @family prof
-- @file operator_details
-- @newline crlf
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM temp.op WHERE NOT instr(name, 'ProfilerStep#'))
-- @rows
SELECT o.name AS "Name", coalesce(replace(t.shapes, ';', ';' || char(30)), '') AS "Input Shapes", coalesce(replace(t.stack, ';', ';' || char(30)), '') AS "Call Stack",
  repr((o.end_ns - o.start_ns - coalesce(
    (SELECT total_int(c.end_ns - c.start_ns) FROM temp.op_nest i CROSS JOIN temp.op c ON c.id = i.id WHERE i.parent = o.id), 0)) / 1000.0) AS "Host Self Duration(us)",
  repr((o.end_ns - o.start_ns) / 1000.0) AS "Host Total Duration(us)",
  (SELECT CASE count(*) WHEN 0 THEN 0 ELSE repr(float_sum(dur_us)) END
    FROM (SELECT dur_us FROM temp.took WHERE op_id = o.id ORDER BY place, launch_ns, id)) AS "Device Self Duration(us)",
  (SELECT CASE count(*) WHEN 0 THEN 0 ELSE repr(float_sum(dur_us)) END
    FROM (SELECT dur_us FROM temp.took WHERE op_id BETWEEN o.id AND n.last ORDER BY place, launch_ns, id)) AS "Device Total Duration(us)",
  (SELECT CASE count(*) WHEN 0 THEN 0 ELSE repr(float_sum(dur_us)) END
    FROM (SELECT dur_us FROM temp.took WHERE is_core AND op_id = o.id ORDER BY place, launch_ns, id)) AS "Device Self Duration With AICore(us)",
  (SELECT CASE count(*) WHEN 0 THEN 0 ELSE repr(float_sum(dur_us)) END
    FROM (SELECT dur_us FROM temp.took WHERE is_core AND op_id BETWEEN o.id AND n.last ORDER BY place, launch_ns, id)) AS "Device Total Duration With AICore(us)"
FROM temp.op o CROSS JOIN temp.op_nest n ON n.id = o.id CROSS JOIN temp.torch_op t ON t.rowid = o.record
WHERE NOT instr(o.name, 'ProfilerStep#') ORDER BY o.id
