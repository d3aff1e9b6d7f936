-- @title AA Core Metrics
-- @decides Ori Layer Name, Time(us), Mac Ppen Ratio(%), WLD Ratio(%), DLD Ratio(%), Dstr Ratio(%), Vec Ppen Ratio(%), Memory Bound, Time Ratio(%), Layer Type, BandWidth(GB/s)
-- @needs tasks
-- @vendor_title AI Core Metrics
-- @file op_summary
-- @time Time(us)
-- @later
-- @use inferences
-- @each
, cpu AS (
  SELECT s.device_id, s.model, s.model_id, s.batch, s.input_pic_num, s.current_pic, t.task_id, max(t.dur_ns) AS dur_ns
  FROM temp.choice c JOIN source s ON c.step IS NULL OR s.current_pic = c.step CROSS JOIN aicpu_task t ON t.rowid BETWEEN s.first_row AND s.last_row
  WHERE s.target = 'aicpu_task' AND s.model IS NOT NULL AND :style <> 'vendor' GROUP BY s.device_id, s.model, s.model_id, s.batch, s.input_pic_num, s.current_pic
), core AS (
  SELECT run._inference, t.task_id, t.seg_id, max(max(min(t.ticks, run._most), -run._most)) AS ticks
  FROM temp.choice c JOIN run ON c.step IS NULL OR run.current_pic = c.step CROSS JOIN aicore_task t ON t.rowid BETWEEN run._first AND run._last
  WHERE :style <> 'vendor' GROUP BY run._inference
), slowest AS (
  SELECT c._inference, p.dur_ns / 1000.0 > c.us AS on_cpu, CASE WHEN p.dur_ns / 1000.0 > c.us THEN p.task_id ELSE c.task_id END AS task_id,
    CASE WHEN p.dur_ns / 1000.0 > c.us THEN -1 ELSE c.seg_id END AS seg_id, CASE WHEN p.dur_ns / 1000.0 > c.us THEN decimal(p.dur_ns, 1000, 2) ELSE c.us END AS us
  FROM (SELECT core.*, decimal(core.ticks * run._cycles, run._rate, 2) AS us FROM core JOIN run USING (_inference)) c
  JOIN run ON run._inference = c._inference LEFT JOIN cpu p USING (device_id, model, model_id, batch, input_pic_num, current_pic)
)
SELECT run.device_id, run.model, run.model_id, run.batch, input_pic_num, current_pic, frequency, CAST(nullif(icache_miss_rate, 'N/A') AS REAL) AS icache_miss_rate, fps,
  run._inference, _first, _last, _net, _rows, _ticks, _tick, _most, _cycles, _rate, _shown, _percent,
  CASE WHEN (SELECT count(*) FROM device) > 1 THEN word('Device id : ') || device_id || ' ' ELSE '' END
    || word('Model name : ') || coalesce(model, 'N/A') || word(' Model id : ') || coalesce(run.model_id, 'N/A')
    || word(' Batch num: ') || coalesce(batch, 'N/A') || word(' Current pic count: ') || coalesce(current_pic, 'N/A') || char(10)
    || word('Fps : ') || coalesce(fps, 'N/A')
    || CASE :style WHEN 'vendor' THEN '  (frames per second in model)' ELSE word('  (frames per second in model, core time only)') END
    || coalesce(char(10) || word('Slowest task : ') || coalesce((SELECT coalesce(o.oris, o.names) FROM op o WHERE o.net_id = run._net AND o.task_id = s.task_id
          AND o.seg_id = s.seg_id) || ' ', '')
      || '(task ' || s.task_id || CASE WHEN s.on_cpu THEN ', AA CPU' ELSE ', AA Core' END || ') ' || s.us || ' us', '') AS heading
FROM temp.choice c JOIN (SELECT *, 
  iif(:style <> 'vendor' AND decimal(_ticks * _cycles, _rate, 2) > 1e6, rounded(1e6 / decimal(_ticks * _cycles, _rate, 2), 4),
    CAST(1e6 / decimal(_ticks * _cycles, _rate, 2) AS INT)) AS fps, count(*) OVER () AS runs FROM run) AS run
  ON (c.model_id IS NULL OR run.model_id = c.model_id) AND (c.step IS NULL OR run.current_pic = c.step) AND (c.each_step OR run.runs = 1)
LEFT JOIN slowest s ON s._inference = run._inference
-- @use aicore
-- @rows
SELECT CASE total WHEN 1 THEN '-' ELSE task_id END AS "Task ID", CASE total WHEN 1 THEN '-' ELSE (SELECT group_concat(name, char(31)) FROM layer l WHERE l.net_id = :_net
    AND l.task_id = metric.task_id AND l.seg_id = metric.seg_id) END AS "Layer Name",
  CASE total WHEN 1 THEN '-' ELSE (SELECT group_concat(type, char(31)) FROM layer l WHERE l.net_id = :_net
    AND l.task_id = metric.task_id AND l.seg_id = metric.seg_id) END AS "Layer Type",
  CASE total WHEN 1 THEN '-' ELSE (SELECT group_concat(replace(ori, ',', char(31)), char(31)) FROM layer l
    WHERE l.net_id = :_net AND l.task_id = metric.task_id AND l.seg_id = metric.seg_id) END AS "Ori Layer Name",
  time_us AS "Time(us)", CASE total WHEN 1 THEN 100 ELSE time_ratio END AS "/Time Ratio(%)",
  mac_ppen_ratio AS "Mac Ppen Ratio(%)", vec_ppen_ratio AS "/Vec Ppen Ratio(%)",
  dstr_ratio AS "Dstr Ratio(%)", dtrans_ratio AS "/Dtrans Ratio(%)",
  dld_ratio AS "/DLD Ratio(%)", wld_ratio AS "/WLD Ratio(%)",
  CASE WHEN bound_by = 0 AND :style = 'vendor' THEN 0 ELSE memory_bound END AS "Memory Bound",
  round(decimal(total_bytes, 1000, 2) / 1024.0 / 1024.0 * CAST(1e6 / time_us AS INT), 4) AS "/BandWidth(GB/s)",
  decimal(read_bytes, 1000, 2) AS "DDR Read(KB)", decimal(write_bytes, 1000, 2) AS "/DDR Write(KB)",
  decimal(total_bytes, 1000, 2) AS "/DDR Total(KB)"
FROM metric
-- @use not_chosen
-- @why
SELECT CASE
  WHEN EXISTS (SELECT 1 FROM inference) THEN (SELECT text FROM not_chosen)
  WHEN EXISTS (SELECT 1 FROM device WHERE collector = 'host') THEN 'host-only job: no AA Core data'
  WHEN EXISTS (SELECT 1 FROM source WHERE target = 'aicore_task') THEN 'the aicore files hold no record'
  ELSE coalesce((SELECT substr(text, instr(text, ': ') + 2) FROM note WHERE text GLOB 'no data: *' OR text GLOB 'no task data: *' LIMIT 1), 'no aicore.* file in data/') END
