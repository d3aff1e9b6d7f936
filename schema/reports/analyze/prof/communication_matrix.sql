-- @form object
-- @file communication_matrix
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM comm_op WHERE start_ns IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM control
  WHERE name = 'sample.json' AND device_id IS NULL AND coalesce(json_extract(text, '$.profLevel'), json_extract(text, '$.prof_level')) IN ('l0', 'level0'))
-- @use prof_transfers
-- @rows
, line AS MATERIALIZED (
  SELECT m.key, m.local_rank || '-' || CASE m.remote_rank WHEN 4294967295 THEN m.local_rank ELSE m.remote_rank END AS link, m.mb, m.ms,
    CASE m.what WHEN 3 THEN CASE m.transport_type WHEN 1 THEN 'RDMA' WHEN 2 THEN 'LOCAL' END
      ELSE CASE m.link_type WHEN 0 THEN 'LOCAL' WHEN 1 THEN 'HCCS' WHEN 2 THEN 'PCIE' WHEN 4 THEN 'SIO' WHEN 5 THEN 'HCCS' END END AS kind,
    row_number() OVER () AS n
  FROM moved m WHERE what <= 3 AND local_rank < 4294967295
), sums AS MATERIALIZED (
  SELECT key, link, float_sum(mb) AS mb, float_sum(ms) AS ms, max(n) AS last, min(n) AS first FROM (SELECT * FROM line ORDER BY n) GROUP BY key, link
), total AS (
  SELECT 'Total HCCL Operators' AS key, link, float_sum(mb) AS mb, float_sum(ms) AS ms, max(last) AS last, min(first) AS first
  FROM (SELECT * FROM sums ORDER BY first) GROUP BY link
), links AS (
  SELECT key, '{' || group_concat('"' || link || '": {"Transport Type": ' || coalesce('"' || kind || '"', 'null') ||
    ', "Transit Size(MB)": ' || repr(mb) || ', "Transit Time(ms)": ' || repr(ms) ||
    ', "Bandwidth(GB/s)": ' || CASE WHEN ms <> 0 THEN repr(rounded(mb / ms, 4)) ELSE '0' END || '}', ', ') || '}' AS text
  FROM (SELECT s.*, l.kind FROM (SELECT * FROM sums UNION ALL SELECT * FROM total) s LEFT JOIN line l ON l.n = s.last ORDER BY s.first) GROUP BY key
)
SELECT o.key AS "key", coalesce(l.text, '{}') AS "json"
FROM (SELECT key, min(at) AS at FROM op GROUP BY key UNION ALL SELECT 'Total HCCL Operators', NULL) o
LEFT JOIN links l USING (key) ORDER BY at IS NULL, at
