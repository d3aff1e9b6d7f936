-- The metrics of each core as SQL terms over run, in the order of their titles. All devices count the same events. Where cores
-- have both units, one core stands for both and has no prefix. zero is 0.0, or NULL for a
-- task without counters.
WITH metric AS (
  SELECT core, kind = 'two' AS split, CASE kind WHEN 'two' THEN core || '_' ELSE '' END AS prefix, 'coalesce(' || core || '_us, zero)' AS us,
    place, name, what, group_concat(coalesce_ratio, ' + ') AS ratio, group_concat(coalesce_count, ' + ') AS count, max(per_position) AS per_position
  FROM (
    SELECT *, 'coalesce(' || core || '_pmu' || position || ' / ' || core || '_cycles, zero)' AS coalesce_ratio,
      'coalesce(' || core || '_pmu' || position || ', zero)' || CASE weight WHEN 1 THEN '' ELSE ' * ' || weight END AS coalesce_count
    FROM core_metric WHERE device_id = (SELECT min(device_id) FROM counter) ORDER BY row)
  GROUP BY core, place, name
), metric_term AS (
  SELECT core, split, -2 AS place, 'time' AS name, CASE WHEN core = 'aic' OR NOT split THEN 'aicore_time(us)' ELSE 'aiv_time(us)' END AS title, us AS value
  FROM (SELECT DISTINCT core, split, us FROM metric)
  UNION ALL SELECT core, split, -1, 'total_cycles', prefix || 'total_cycles', 'CAST(coalesce(' || core || '_cycles, zero) AS INTEGER)'
    FROM (SELECT DISTINCT core, split, prefix FROM metric)
  UNION ALL SELECT core, split, 2 * place, name, prefix || name || '_time(us)', us || ' * (' || ratio || ')'
    FROM metric WHERE what = 'pipe'
  UNION ALL SELECT core, split, 2 * place + 1, name, prefix || name || CASE what WHEN 'pipe' THEN '_ratio' ELSE '' END, ratio
    FROM metric WHERE what IN ('pipe', 'ratio')
  UNION ALL SELECT core, split, 2 * place, name, prefix || name, 'coalesce((' || ratio || ') / nullif(coalesce(' || core || '_pmu' || per_position || ' / '
      || core || '_cycles, 0), 0), zero)'
    FROM metric WHERE what = 'rate'
  UNION ALL SELECT core, split, 2 * place, name, prefix || name || CASE WHEN name LIKE '%\_datas' ESCAPE '\' THEN '(KB)' ELSE '' END, '(' || count || ')'
    FROM metric WHERE what IN ('count', 'work')
  UNION ALL SELECT core, split, 2 * place, name, prefix || name || '(GB/s)', 'coalesce((' || count || ') / (' || core
      || '_cycles / (word(''setting'', ''mhz'', device_id) * 1e6)) / 8589934592.0, zero)'
    FROM metric WHERE what = 'bandwidth'
)
