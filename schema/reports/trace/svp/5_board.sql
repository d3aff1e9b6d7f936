-- @process Board
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM board_sample)
-- @rows
SELECT 5 AS layer, 0 AS process, name, time_ns, percent AS "value.%", program AS "value.Program(%)", mib AS "value.MiB", mine AS "value.Program(MiB)",
  kib AS "value.KiB", celsius AS "value.C", number AS "value.number"
FROM (
  SELECT 'Processors' AS name, from_ns AS time_ns, busy AS percent, program, NULL AS mib, NULL AS mine, NULL AS kib, NULL AS celsius, NULL AS number FROM board_use
  UNION ALL SELECT 'Load, 1 minute', time_ns, NULL, NULL, NULL, NULL, NULL, NULL, load FROM board_sample
  UNION ALL SELECT 'Memory available', time_ns, NULL, NULL, available_kb / 1024.0, program_kb / 1024.0, NULL, NULL, NULL FROM board_sample
  UNION ALL SELECT 'Temperature ' || h.zone || coalesce(' ' || h.type, ''), s.time_ns, NULL, NULL, NULL, NULL, NULL, h.millidegree / 1000.0, NULL
  FROM board_heat h JOIN board_sample s ON s.id = h.sample_id
  UNION ALL SELECT e.name, s.time_ns, CASE e.kind WHEN 'percent' THEN v.value END, NULL, CASE e.kind WHEN 'mb' THEN v.value END, NULL,
    CASE e.kind WHEN 'kb' THEN v.value END, NULL, CASE e.kind WHEN 'level' THEN v.value END
  FROM (SELECT * FROM board_number ORDER BY id LIMIT 200) e JOIN board_value v ON v.series_id = e.id JOIN board_sample s ON s.id = v.sample_id)
WHERE coalesce(percent, mib, kib, celsius, number) IS NOT NULL{range host time_ns; time_ns}
