-- The eight events of the last level cache as hit rate and MB/s, each over the time since the sample before it.
WITH moment AS (
  SELECT s.device_id, l.l3t_id, l.stamp_us,
    sum(count) FILTER (WHERE event = 0) AS e0, sum(count) FILTER (WHERE event = 1) AS e1, sum(count) FILTER (WHERE event = 2) AS e2,
    sum(count) FILTER (WHERE event = 3) AS e3, sum(count) FILTER (WHERE event = 4) AS e4, sum(count) FILTER (WHERE event = 5) AS e5,
    sum(count) FILTER (WHERE event = 6) AS e6, sum(count) FILTER (WHERE event = 7) AS e7
  FROM source s CROSS JOIN llc l WHERE s.target = 'llc' AND l.rowid BETWEEN s.first_row AND s.last_row
  GROUP BY s.device_id, l.l3t_id, l.stamp_us
), llc_rate AS (
  SELECT device_id, l3t_id, stamp_us,
    coalesce((SELECT json_extract(c.text, '$.llc_profiling') FROM control c WHERE c.name = 'sample.json' AND c.device_id = m.device_id), 'read') AS mode,
    coalesce(1.0 * (coalesce(e2, 0) + coalesce(e3, 0) + coalesce(e5, 0) + coalesce(e7, 0)) / nullif(coalesce(e4, 0) + coalesce(e6, 0), 0), 0) AS hit_rate,
    coalesce((coalesce(e0, 0) + coalesce(e1, 0)) * 64 / 1048576.0
      / nullif((stamp_us - lag(stamp_us, 1, 0) OVER (PARTITION BY device_id, l3t_id ORDER BY stamp_us)) / 1e6, 0), 0) AS mbs
  FROM moment m
)
