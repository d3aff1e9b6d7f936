-- @style default
-- @title Overview
-- @decides Name, Mean(us), Share(%), Verdict, Max(us)
-- @needs tasks
-- @time Total(us)
-- @facts
-- @top 10
-- @each
WITH run AS (
  SELECT g.*, p.steps, p.total_ns, i.total_ns AS idle_ns,
    (SELECT total_int(o.total_ns) FROM temp.operator o WHERE o.k1 = g.id AND o.k4 = 0 AND NOT o.is_rest) AS core_ns
  FROM temp.step_group g JOIN temp.pace p ON p.grp = g.id JOIN temp.part i ON i.grp = g.id AND i.class IS NULL
), span AS ( -- of each unit in inferences that are nearly all idle
  SELECT f.grp, f.step, 0 AS on_cpu, min(t.start_ns) AS start_ns, max(t.start_ns + t.dur_ns) AS end_ns
  FROM run r CROSS JOIN temp.step_file f ON f.grp = r.id CROSS JOIN aicore_task t ON t.rowid BETWEEN f.first_row AND f.last_row
  WHERE r.idle_ns > r.total_ns / 100 * 99 AND f.target = 'aicore_task' AND EXISTS (SELECT 1 FROM temp.step_file WHERE target = 'aicpu_task') GROUP BY f.step
  UNION ALL
  SELECT f.grp, f.step, 1, min(t.start_ns), max(t.start_ns + t.dur_ns)
  FROM run r CROSS JOIN temp.step_file f ON f.grp = r.id CROSS JOIN aicpu_task t ON t.rowid BETWEEN f.first_row AND f.last_row
  WHERE r.idle_ns > r.total_ns / 100 * 99 AND f.target = 'aicpu_task' GROUP BY f.step
), apart AS ( -- models whose tasks of both units never meet: their clocks may be unrelated
  SELECT c.grp FROM span c JOIN span p ON p.step = c.step AND p.on_cpu AND NOT c.on_cpu
  WHERE NOT EXISTS (SELECT 1 FROM meta WHERE key = 'one_clock')
  GROUP BY c.grp HAVING min(p.start_ns > c.end_ns OR p.end_ns < c.start_ns)
), shown AS (
  SELECT run.*, a.grp IS NOT NULL AS is_apart, CASE WHEN a.grp IS NULL THEN decimal(1000000000 * steps, total_ns, 2) END AS fps,
    decimal(1000000000 * steps, core_ns, 2) AS core_fps, CASE WHEN a.grp IS NULL THEN decimal(100 * (total_ns - idle_ns), total_ns, 2) END AS busy_percent,
    CASE WHEN a.grp IS NULL THEN decimal(100 * idle_ns, total_ns, 2) END AS idle_percent FROM run LEFT JOIN apart a ON a.grp = run.id
)
SELECT r.device_id, r.model, r.model_id, r.steps AS inferences, r.fps, r.core_fps, r.busy_percent, r.idle_percent, r.id AS _grp, r.net_id AS _net,
  r.steps AS _steps, CASE WHEN NOT r.is_apart THEN r.total_ns END AS _total,
  CASE WHEN (SELECT count(*) FROM device) > 1 THEN word('Device id : ') || r.device_id || ' ' ELSE '' END
    || word('Model name : ') || coalesce(r.model, 'N/A') || word(' Model id : ') || coalesce(r.model_id, 'N/A') || word(' Inferences : ') || r.steps || char(10)
    || word('Fps : ') || coalesce(r.fps, 'N/A') || word('  (from start to end; core time only: ') || coalesce(r.core_fps, 'N/A') || word(')') || char(10)
    || word('Device busy : ') || coalesce(r.busy_percent, 'N/A') || word(' %  idle : ') || coalesce(r.idle_percent, 'N/A') || word(' %')
    || CASE WHEN r.is_apart THEN char(10) || say('overview.apart') ELSE '' END
    || CASE WHEN (SELECT total_int(o.total_ns) FROM temp.operator o WHERE o.k1 = r.id AND NOT o.is_rest) > r.total_ns THEN char(10) || say('overview.overlap') ELSE '' END
    || CASE c.grouping WHEN 'layer' THEN char(10) || say('overview.layers') ELSE '' END
    || char(10) || say('overview.verdicts.svp') AS heading
FROM temp.choice c CROSS JOIN shown r ORDER BY r.id
-- @without
SELECT column1 FROM (VALUES ('Type'), ('Total(us)'))
-- @use overview_sums
-- @rows
, named AS (
  SELECT name, k4 AS unit, CASE WHEN min(type) IS max(type) THEN min(type) END AS type, CASE WHEN min(class) = max(class) THEN class END AS class,
    total_int(count) AS tasks, total_int(total_ns) AS total, min(shortest_ns) AS shortest, max(longest_ns) AS longest, total(cycles) AS cycles,
    total(mac_ppen) AS mac_ppen, total(vec_ppen) AS vec_ppen, total(dld) AS dld, total(wld) AS wld, total(dstr) AS dstr
  FROM item GROUP BY name, k4
), line AS (
  SELECT 0 AS place, '-' AS tasks, 'Inference' AS name, '-' AS type, p.mean_ns AS mean, 1 AS of, p.shortest_ns AS shortest, p.longest_ns AS longest, p.total_ns AS total,
    '-' AS verdict
  FROM temp.pace p WHERE p.grp = :_grp AND :_total IS NOT NULL
  UNION ALL SELECT 1, '-', 'Idle', '-', total_ns, :_steps, shortest_ns, longest_ns, total_ns, '-' FROM temp.part WHERE grp = :_grp AND class IS NULL AND :_total IS NOT NULL
  UNION ALL SELECT 2, '-', 'Host call around', '-', total_ns - span_ns, calls, shortest_ns, longest_ns, total_ns - span_ns, '-' FROM temp.host_call
    WHERE grp = :_grp AND calls > 0 AND :_total IS NOT NULL -- no part of the inference: no share of it
  UNION ALL SELECT 3, tasks, name, type, total, tasks, shortest, longest, total,
    CASE WHEN unit = 1 THEN 'AA CPU' WHEN class IS NULL OR cycles = 0 THEN NULL
      WHEN CASE class WHEN 0 THEN mac_ppen / :mac_ppen ELSE vec_ppen / :vec_ppen END >= cycles THEN 'ok'
      WHEN dld > :dld * cycles THEN 'DLD' WHEN wld > :wld * cycles THEN 'WLD' WHEN dstr > :dstr * cycles THEN 'Dstr' ELSE 'low' END
  FROM named
)
SELECT tasks AS "Tasks", name AS "Name", type AS "Type", decimal(mean, 1000 * of, 2) AS "Mean(us)", decimal(shortest, 1000, 2) AS "Min(us)",
  decimal(longest, 1000, 2) AS "Max(us)", decimal(total, 1000, 2) AS "Total(us)",
  CASE place WHEN 2 THEN '-' ELSE decimal(100 * total, :_total, 2) END AS "Share(%)", verdict AS "Verdict"
FROM line ORDER BY place, total DESC, name
-- @why
SELECT CASE
  WHEN EXISTS (SELECT 1 FROM device WHERE collector = 'host') THEN 'host-only job: no AA Core data'
  WHEN EXISTS (SELECT 1 FROM temp.choice WHERE model_id IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM temp.left_out) THEN 'no inference of model ' || (SELECT model_id FROM temp.choice)
  WHEN EXISTS (SELECT 1 FROM temp.left_out) THEN 'every inference lost tasks'
  ELSE 'no task with a start and an end' END
