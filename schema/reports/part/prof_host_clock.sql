-- The counter of the host: _hz counts a second, and _count at _ns. Where files do not tell it, counts are ns.
WITH told AS (
  SELECT (SELECT char(10) || text FROM control WHERE name = 'host_start.log' AND device_id IS NULL) AS log,
    (SELECT CAST(round(CAST(json_extract(text, '$.CPU[0].Frequency') AS REAL) * 1e6) AS INTEGER) FROM control WHERE name = 'info.json' AND device_id IS NULL) AS hz
), line AS (
  SELECT hz, CAST(substr(log, nullif(instr(log, char(10) || 'cntvct:'), 0) + 8) AS INTEGER) AS count,
    CAST(substr(log, nullif(instr(log, char(10) || 'clock_monotonic_raw:'), 0) + 21) AS INTEGER) AS ns,
    coalesce(CAST(substr(log, nullif(instr(log, char(10) || 'cntvct_diff:'), 0) + 13) AS INTEGER), 0) AS late FROM told
), clock AS (
  SELECT iif(is_known, hz, 1000000000) AS _hz, iif(is_known, count, 0) AS _count, iif(is_known, ns + late * 1000000000 / hz, 0) AS _ns,
    (SELECT value FROM meta WHERE key = 'pid') AS _pid
  FROM (SELECT *, coalesce(hz > 0 AND count + ns IS NOT NULL, 0) AS is_known FROM line)
)
