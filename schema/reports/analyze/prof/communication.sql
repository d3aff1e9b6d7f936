-- @form object
-- @file communication
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM comm_op WHERE start_ns IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM control
  WHERE name = 'sample.json' AND device_id IS NULL AND coalesce(json_extract(text, '$.profLevel'), json_extract(text, '$.prof_level')) IN ('l0', 'level0'))
-- @use prof_transfers
-- @rows
, one AS MATERIALIZED (
  SELECT id, key, at FROM (SELECT *, row_number() OVER (PARTITION BY key ORDER BY CAST(device_id AS TEXT)) AS n FROM op WHERE id IN (SELECT op_id FROM event WHERE is_master))
  WHERE n = 1
), master AS MATERIALIZED (
  SELECT op_id, plane_id, min(start_ns) AS start_ns FROM event WHERE is_master AND op_id IN (SELECT id FROM one) GROUP BY op_id
), took AS (
  SELECT op_id, float_sum(ms) FILTER (WHERE what IN (1, 3)) AS transit, float_sum(ms) FILTER (WHERE what IN (4, 5)) AS wait,
    float_sum(ms) FILTER (WHERE what = 5) AS sync FROM moved JOIN master USING (op_id, plane_id) GROUP BY op_id
), time AS MATERIALIZED (
  SELECT m.op_id, m.start_ns, (max(e.end_ns) - min(e.start_ns)) / 1e6 AS elapse, transit, wait, sync
  FROM master m JOIN event e USING (op_id, plane_id) LEFT JOIN took USING (op_id) JOIN one o ON o.id = m.op_id GROUP BY m.op_id ORDER BY o.at
), times AS (
  SELECT op_id, start_ns, elapse, transit, wait, sync, elapse - coalesce(transit, 0) - coalesce(wait, 0) AS idle FROM time
  UNION ALL
  SELECT NULL, NULL, float_sum(elapse), float_sum(transit), float_sum(wait), float_sum(sync), float_sum(elapse - coalesce(transit, 0) - coalesce(wait, 0)) FROM time
), piece AS MATERIALIZED (
  SELECT op_id, CASE what WHEN 3 THEN CASE transport_type WHEN 0 THEN 'SDMA' ELSE 'RDMA' END
    ELSE CASE link_type WHEN 1 THEN 'HCCS' WHEN 5 THEN 'HCCS' WHEN 2 THEN 'PCIE' WHEN 4 THEN 'SIO' ELSE 'SDMA' END END AS kind, mb, ms
  FROM moved WHERE what IN (1, 3) AND op_id IN (SELECT id FROM one)
), kind AS (
  SELECT column1 AS kind, column2 AS large, column3 AS place
  FROM (VALUES ('RDMA', 0.5, 1), ('HCCS', 32, 2), ('PCIE', 32, 3), ('SDMA', NULL, 4), ('SIO', 32, 5))
), sums AS MATERIALIZED (
  SELECT op_id, kind, float_sum(mb) AS mb, float_sum(ms) AS ms FROM piece GROUP BY op_id, kind
), rate AS MATERIALIZED (
  SELECT o.id AS op_id, k.kind, s.mb, s.ms FROM one o CROSS JOIN kind k LEFT JOIN sums s ON s.op_id = o.id AND s.kind = k.kind WHERE k.kind <> 'SDMA'
  UNION ALL
  -- SDMA has copies over unknown links, and with them those over HCCS, PCIE and SIO
  SELECT o.id, 'SDMA', coalesce(max(s.mb) FILTER (WHERE s.kind = 'SDMA'), 0) + (coalesce(max(s.mb) FILTER (WHERE s.kind = 'HCCS'), 0)
      + coalesce(max(s.mb) FILTER (WHERE s.kind = 'PCIE'), 0) + coalesce(max(s.mb) FILTER (WHERE s.kind = 'SIO'), 0)),
    coalesce(max(s.ms) FILTER (WHERE s.kind = 'SDMA'), 0) + (coalesce(max(s.ms) FILTER (WHERE s.kind = 'HCCS'), 0)
      + coalesce(max(s.ms) FILTER (WHERE s.kind = 'PCIE'), 0) + coalesce(max(s.ms) FILTER (WHERE s.kind = 'SIO'), 0))
  FROM one o LEFT JOIN sums s ON s.op_id = o.id GROUP BY o.id
), share AS MATERIALIZED (
  SELECT op_id, kind, mb, count(*) AS count, float_sum(ms) AS ms FROM piece JOIN one ON id = op_id GROUP BY op_id, kind, mb ORDER BY at
), shares AS (
  SELECT op_id, kind, mb, count, ms FROM share
  UNION ALL SELECT NULL, kind, mb, total_int(count), float_sum(ms) FROM share WHERE kind <> 'SDMA' GROUP BY kind, mb
), spread AS MATERIALIZED (
  SELECT op_id, kind, '{' || group_concat('"' || repr(mb) || '": [' || count || ', ' || repr(ms) || ']', ', ') || '}' AS sizes,
    1.0 * total_int(CASE WHEN mb > large THEN count ELSE 0 END) / total_int(count) AS large
  FROM shares JOIN kind USING (kind) GROUP BY op_id, kind
), rates AS (
  SELECT op_id, kind, mb, ms FROM rate
  UNION ALL SELECT NULL, kind, float_sum(mb), float_sum(ms) FROM (SELECT r.* FROM rate r JOIN one o ON o.id = r.op_id ORDER BY o.at) GROUP BY kind
), links AS MATERIALIZED (
  SELECT r.op_id, group_concat('"' || r.kind || '": {"Transit Size(MB)": ' || CASE WHEN r.mb IS NULL THEN '0' ELSE repr(r.mb) END ||
    ', "Transit Time(ms)": ' || CASE WHEN r.ms IS NULL THEN '0' ELSE repr(r.ms) END ||
    ', "Bandwidth(GB/s)": ' || CASE WHEN coalesce(r.ms, 0) <> 0 THEN repr(rounded(r.mb / 1000 / (r.ms / 1000), 4)) ELSE '0' END ||
    ', "Large Packet Ratio": ' || CASE WHEN d.large IS NULL OR r.kind = 'SDMA' THEN '0' ELSE repr(rounded(d.large, 4)) END ||
    ', "Size Distribution": ' || coalesce(d.sizes, '{}') || '}', ', ') AS text
  FROM (SELECT * FROM rates JOIN kind USING (kind) ORDER BY op_id, place) r LEFT JOIN spread d ON d.op_id IS r.op_id AND d.kind = r.kind GROUP BY r.op_id
)
SELECT coalesce(o.key, 'Total HCCL Operators') AS "key",
  '{"Communication Time Info": {"Start Timestamp(us)": ' || CASE WHEN t.op_id IS NULL THEN '0' ELSE repr(CAST(us(t.start_ns + (SELECT value FROM meta WHERE key = 'wall_offset_ns')) AS REAL)) END ||
  ', "Elapse Time(ms)": ' || repr(t.elapse) || ', "Transit Time(ms)": ' || CASE WHEN t.transit IS NULL THEN '0' ELSE repr(t.transit) END ||
  ', "Wait Time(ms)": ' || CASE WHEN t.wait IS NULL THEN '0' ELSE repr(t.wait) END || ', "Synchronization Time(ms)": ' || CASE WHEN t.sync IS NULL THEN '0' ELSE repr(t.sync) END ||
  ', "Idle Time(ms)": ' || repr(t.idle) ||
  ', "Wait Time Ratio": ' || CASE WHEN coalesce(t.wait, 0) + coalesce(t.transit, 0) > 0 THEN repr(rounded(coalesce(t.wait, 0.0) / (coalesce(t.wait, 0) + coalesce(t.transit, 0)), 4)) ELSE '0' END ||
  ', "Synchronization Time Ratio": ' || CASE WHEN coalesce(t.sync, 0) + coalesce(t.transit, 0) > 0
    THEN repr(rounded(coalesce(t.sync, 0.0) / (coalesce(t.sync, 0) + coalesce(t.transit, 0)), 4)) ELSE '0' END ||
  '}, "Communication Bandwidth Info": {' || l.text || '}}' AS "json"
FROM times t LEFT JOIN one o ON o.id = t.op_id JOIN links l ON l.op_id IS t.op_id WHERE t.elapse IS NOT NULL ORDER BY t.op_id IS NULL, t.start_ns
