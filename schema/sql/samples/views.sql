-- The sums of the samples of each core.
CREATE VIEW core_sum AS
SELECT device_id,
  kind,                        -- aic or aiv
  core,
  count(*) AS samples,         -- how many
  total(total_cycles) AS total_cycles,
  total(pmu0) FILTER (WHERE counters > 0) AS pmu0,
  total(pmu1) FILTER (WHERE counters > 1) AS pmu1,
  total(pmu2) FILTER (WHERE counters > 2) AS pmu2,
  total(pmu3) FILTER (WHERE counters > 3) AS pmu3,
  total(pmu4) FILTER (WHERE counters > 4) AS pmu4,
  total(pmu5) FILTER (WHERE counters > 5) AS pmu5,
  total(pmu6) FILTER (WHERE counters > 6) AS pmu6,
  total(pmu7) FILTER (WHERE counters > 7) AS pmu7,
  total(pmu8) FILTER (WHERE counters > 8) AS pmu8,
  total(pmu9) FILTER (WHERE counters > 9) AS pmu9
FROM (
  SELECT s.device_id, 'aic' AS kind, c.* FROM source s CROSS JOIN aicore_sample c WHERE s.target = 'aicore_sample' AND c.rowid BETWEEN s.first_row AND s.last_row
  UNION ALL
  SELECT s.device_id, 'aiv', c.* FROM source s CROSS JOIN aiv_sample c WHERE s.target = 'aiv_sample' AND c.rowid BETWEEN s.first_row AND s.last_row
) GROUP BY device_id, kind, core;
