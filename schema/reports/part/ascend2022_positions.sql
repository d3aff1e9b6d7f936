-- The metrics of op_summary as SQL terms over counted. The reference puts the values into the columns of the group in the order
-- of the events, also where its titles are in another order. With another number of values each has the title of its event.
-- Times follow from the rounded time of the core; they need a described job. The operations of the cube are sums of cycles there, which the
-- tools that read logs of "stars" weigh.
, ratio AS (
  SELECT position, event, name, what, factor,
    'CASE cycles WHEN 0 THEN e' || position || ' ELSE e' || position || ' * 1.0 / cycles END' AS ratio
  FROM used WHERE core = 'aic' AND position < 8
), entry AS (
  SELECT position AS place, CASE what WHEN 'pipe' THEN name || '_ratio' WHEN 'bandwidth' THEN name || '(GB/s)' ELSE name END AS title,
    CASE WHEN what = 'bandwidth'
      THEN 'CASE cycles WHEN 0 THEN e' || position || ' ELSE e' || position || ' * ' || factor || '.0 / (cycles / hz) / 8589934592.0 END'
    WHEN name = 'icache_miss_rate' AND EXISTS (SELECT 1 FROM ratio WHERE name = 'icache_req_ratio') THEN
      'coalesce((' || ratio || ') / nullif(' || (SELECT ratio FROM ratio WHERE name = 'icache_req_ratio') || ', 0.0), ' || ratio || ')'
    WHEN name IS NULL THEN 'e' || position ELSE ratio END AS value
  FROM ratio
  WHERE (name IS NULL OR name NOT IN ('icache_req_ratio', 'vec_fp16_128lane_ratio', 'vec_fp16_64lane_ratio'))
    AND NOT (event IN (0x3d, 0x3e, 0x10, 0x13) AND 4 = (SELECT count(*) FROM ratio WHERE event IN (0x3d, 0x3e, 0x10, 0x13)))
    AND NOT (event IN (0x3d, 0x3e) AND 2 = (SELECT count(*) FROM ratio WHERE event IN (0x3d, 0x3e)))
    AND NOT (event IN (0x0f, 0x10) AND 2 = (SELECT count(*) FROM ratio WHERE event IN (0x0f, 0x10)))
  UNION ALL
  SELECT 10, 'vec_fp16_ratio', group_concat(ratio, ' + ') FROM (SELECT ratio FROM ratio WHERE event IN (0x4c, 0x4d) ORDER BY event) HAVING count(*) = 2
  UNION ALL
  SELECT 11, 'cube_fops', group_concat(ratio, ' + ') FROM (
    SELECT '(' || ratio || ') * cycles' || CASE WHEN (SELECT stars FROM setting WHERE device_id = :device_id)
      THEN CASE event WHEN 0x49 THEN ' * 8192.0' ELSE ' * 16384.0' END ELSE '' END AS ratio
    FROM ratio WHERE event IN (0x49, 0x4a) ORDER BY event)
  HAVING count(*) = 2
  UNION ALL
  SELECT 12, 'vector_fops', group_concat('(' || ratio || ') * cycles * ' || CASE event WHEN 0x4c THEN 128 WHEN 0x4d THEN 64 WHEN 0x4b THEN 64
      ELSE CASE WHEN (SELECT chip FROM setting WHERE device_id = :device_id) IN (2, 3, 4) THEN 16 WHEN event = 0x4e THEN 64 ELSE 32 END END || '.0', ' + ')
  FROM (SELECT * FROM ratio WHERE event BETWEEN 0x4b AND 0x4f ORDER BY CASE event WHEN 0x4c THEN 1 WHEN 0x4d THEN 2 ELSE event END) HAVING count(*) = 5
), numbered AS (
  SELECT *, row_number() OVER (ORDER BY place) AS n, count(*) OVER () = (
    SELECT count(*) FROM metric_title t JOIN setting s ON s.device_id = :device_id AND s.metrics = t.metrics) AS fits
  FROM entry
), metric_column AS (
  SELECT n AS place, value, CASE WHEN fits THEN (
      SELECT t.title FROM metric_title t JOIN setting s ON s.device_id = :device_id AND s.metrics = t.metrics WHERE t.place = n) ELSE title END AS title
  FROM numbered WHERE (fits OR title IS NOT NULL) AND EXISTS (
    SELECT 1 FROM task t WHERE t.device_id = :device_id AND t.step_id IS :_step AND t.pmu_row IS NOT NULL AND :_exports IS NOT 'none')
)
