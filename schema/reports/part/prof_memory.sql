-- Accesses as MB/s, each over the time since the sample before it. DDR: of the same controller and kind, 256 bits wide on chips 1 to
-- 4, else 128. HBM: 256 bits. The first sample counts from the beginning.
WITH wide AS (
  SELECT device_id, CASE WHEN CAST(json_extract(text, '$.platform_version') AS INTEGER) BETWEEN 1 AND 4 THEN 256 ELSE 128 END AS bits
  FROM control WHERE name = 'info.json' AND device_id IS NOT NULL
), ddr_rate AS (
  SELECT s.device_id, d.type, d.stamp_us, d.count * coalesce(w.bits, 128) / (8 * 1048576.0)
    / ((d.stamp_us - lag(d.stamp_us, 1, 0) OVER (PARTITION BY s.device_id, d.controller, d.type, d.master_id ORDER BY d.stamp_us)) / 1e6) AS mbs
  FROM source s CROSS JOIN ddr d LEFT JOIN wide w ON w.device_id = s.device_id
  WHERE s.target = 'ddr' AND d.rowid BETWEEN s.first_row AND s.last_row
), hbm_rate AS (
  SELECT s.device_id, h.hbm_id, h.type, h.stamp_us, h.count * 256 / (8 * 1048576.0)
    / ((h.stamp_us - lag(h.stamp_us, 1, 0) OVER (PARTITION BY s.device_id, h.hbm_id, h.type ORDER BY h.stamp_us)) / 1e6) AS mbs
  FROM source s CROSS JOIN hbm h WHERE s.target = 'hbm' AND h.rowid BETWEEN s.first_row AND s.last_row
)
