-- The metrics of each core from the counters of used, as SQL terms over run: in the order of their events, without the
-- counters of cores that are missing.
, term AS (
  SELECT core, name, what, factor, min(position) AS place,
    group_concat('coalesce(' || core || '_pmu' || position || ' / ' || core || '_cycles, 0)', ' + ') AS ratio,
    group_concat('coalesce(' || core || '_pmu' || position || ', 0)', ' + ') AS count
  FROM (SELECT * FROM used ORDER BY core, position)
  WHERE name IS NOT NULL AND NOT (core = 'aiv' AND what = 'pipe' AND name IN ('mac', 'mte1'))
  GROUP BY core, name
), total AS (
  SELECT DISTINCT core, 'coalesce(' || core || '_us, 0.0)' AS us FROM used
), gone AS (
  SELECT core, 'icache_req_ratio' AS name FROM total
  UNION SELECT core, 'vec_fp16_128lane_ratio' FROM total UNION SELECT core, 'vec_fp16_64lane_ratio' FROM total
  UNION SELECT core, name FROM term t WHERE name IN ('l2_write_bw', 'main_mem_write_bw', 'ub_read_bw_mte', 'ub_write_bw_mte')
    AND 4 = (SELECT count(*) FROM term m WHERE m.core = t.core
             AND m.name IN ('l2_write_bw', 'main_mem_write_bw', 'ub_read_bw_mte', 'ub_write_bw_mte'))
  UNION SELECT core, name FROM term t WHERE name IN ('ub_read_bw_mte', 'ub_write_bw_mte')
    AND 2 = (SELECT count(*) FROM term m WHERE m.core = t.core AND m.name IN ('ub_read_bw_mte', 'ub_write_bw_mte'))
  UNION SELECT core, name FROM term t WHERE name IN ('l2_read_bw', 'l2_write_bw')
    AND 2 = (SELECT count(*) FROM term m WHERE m.core = t.core AND m.name IN ('l2_read_bw', 'l2_write_bw'))
), metric_term AS (
  SELECT core, -2 AS place, 'time' AS name, us AS value, 1 AS is_time FROM total
  UNION ALL SELECT core, -1, 'total_cycles', 'CAST(coalesce(' || core || '_cycles, 0) AS INTEGER)', 0 FROM total
  UNION ALL SELECT core, 2 * place, name || '_time(us)', us || ' * (' || ratio || ')', 1 FROM term JOIN total USING (core) WHERE what = 'pipe'
  UNION ALL SELECT core, 2 * place + 1, name || '_ratio', ratio, 0 FROM term WHERE what = 'pipe'
  UNION ALL SELECT core, 2 * place, name, '(' || count || ')', 0 FROM term WHERE what = 'count'
  UNION ALL SELECT core, 2 * place, name, CASE WHEN name = 'icache_miss_rate' AND EXISTS (SELECT 1 FROM term q WHERE q.core = t.core AND q.name = 'icache_req_ratio')
      THEN 'coalesce((' || ratio || ') / nullif(' || (SELECT q.ratio FROM term q WHERE q.core = t.core AND q.name = 'icache_req_ratio')
        || ', 0), 0.0)'
      ELSE ratio END, 0
    FROM term t WHERE what = 'ratio' AND NOT EXISTS (SELECT 1 FROM gone g WHERE g.core = t.core AND g.name = t.name)
  UNION ALL SELECT core, 2 * place, name || '(GB/s)', 'coalesce((' || count || ') * ' || factor || '.0 / (' || core || '_cycles / (frequency_mhz * 1e6)) / 8589934592.0, 0.0)', 0
    FROM term t WHERE what = 'bandwidth' AND NOT EXISTS (SELECT 1 FROM gone g WHERE g.core = t.core AND g.name = t.name)
  UNION ALL SELECT core, 1 + 2 * max(place), 'vec_fp16_ratio', group_concat(ratio, ' + '), 0
    FROM term WHERE name IN ('vec_fp16_128lane_ratio', 'vec_fp16_64lane_ratio') GROUP BY core HAVING count(*) = 2
  UNION ALL SELECT core, 100, 'cube_fops', '(' || sum.f || ')', 0 FROM (
    SELECT core, group_concat(CASE name WHEN 'mac_fp16_ratio' THEN '8192 * ' ELSE '16384 * ' END || count, ' + ') AS f
    FROM term WHERE name IN ('mac_fp16_ratio', 'mac_int8_ratio') GROUP BY core HAVING count(*) = 2) sum
)
