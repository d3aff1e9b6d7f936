-- @file llc_read_write_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope WHERE EXISTS (SELECT 1 FROM llc_rate l WHERE l.device_id = scope.device_id)
-- @rows
-- The mean of the caches is a text of all its decimals, of their rounded means; for one, two or four caches it is exact.
WITH cache AS (
  SELECT mode, l3t_id, rounded(avg(hit_rate), 6) AS hit, rounded(avg(mbs), 6) AS mbs FROM llc_rate WHERE device_id = :device_id GROUP BY l3t_id
), mean AS (
  SELECT mode, CAST(total(round(hit * 1000000)) * 100 / count(*) AS INTEGER) AS hit, CAST(total(round(mbs * 1000000)) * 100 / count(*) AS INTEGER) AS mbs,
    max(length(repr(hit)) - instr(repr(hit), '.')) AS hit_places, max(length(repr(mbs)) - instr(repr(mbs), '.')) AS mbs_places
  FROM cache
), text AS (
  SELECT *, printf('%d.%08d', hit / 100000000, hit % 100000000) AS hit_text, printf('%d.%08d', mbs / 100000000, mbs % 100000000) AS mbs_text FROM mean
)
SELECT mode AS "Mode", 'Average' AS "Task", substr(hit_text, 1, max(length(rtrim(hit_text, '0')), instr(hit_text, '.') + hit_places)) AS "Hit Rate(%)",
  substr(mbs_text, 1, max(length(rtrim(mbs_text, '0')), instr(mbs_text, '.') + mbs_places)) AS "Throughput(MB/s)"
FROM text
UNION ALL
SELECT mode, l3t_id, hit, mbs FROM (SELECT * FROM cache ORDER BY l3t_id)
