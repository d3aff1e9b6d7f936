-- @family svp
-- @style any
-- @title AA Core Metrics
-- @vendor_title AI Core Metrics
-- @time Time(us)
-- @use inferences
-- @each
SELECT device_id, model, model_id, batch, input_pic_num, current_pic, frequency, CAST(icache_miss_rate AS REAL) AS icache_miss_rate, fps,
  _inference, _first, _last, _net, _rows, _cycles,
  CASE WHEN (SELECT count(*) FROM device) > 1 THEN 'Device id : ' || device_id || ' ' ELSE '' END
    || 'Model name : ' || coalesce(model, 'N/A') || ' Model id : ' || coalesce(model_id, 'N/A')
    || ' Batch num: ' || coalesce(batch, 'N/A') || ' Current pic count: ' || coalesce(current_pic, 'N/A') || char(10)
    || 'Fps : ' || coalesce(fps, 'N/A')
    || '  (frames per second in model)' AS heading
FROM (SELECT *, CAST(1e6 / decimal(_cycles, frequency, 2) AS INT) AS fps FROM run) AS run
-- @use aicore
-- @rows
SELECT CASE total WHEN 1 THEN '-' ELSE task_id END AS "Task ID", CASE total WHEN 1 THEN '-' ELSE (SELECT group_concat(name, char(31)) FROM layer l WHERE l.net_id = :_net
    AND l.task_id = metric.task_id AND l.stream_id = metric.stream_id) END AS "Layer Name",
  CASE total WHEN 1 THEN '-' ELSE (SELECT group_concat(type, char(31)) FROM layer l WHERE l.net_id = :_net
    AND l.task_id = metric.task_id AND l.stream_id = metric.stream_id) END AS "Layer Type",
  CASE total WHEN 1 THEN '-' ELSE (SELECT group_concat(ori, char(31)) FROM layer l
    WHERE l.net_id = :_net AND l.task_id = metric.task_id AND l.stream_id = metric.stream_id) END AS "Ori Layer Name",
  time_us AS "Time(us)", CASE total WHEN 1 THEN 100 ELSE time_ratio END AS "/Time Ratio(%)",
  mac_ppen_ratio AS "Mac Ppen Ratio(%)", vec_ppen_ratio AS "/Vec Ppen Ratio(%)",
  dstr_ratio AS "Dstr Ratio(%)", dtrans_ratio AS "/Dtrans Ratio(%)",
  dld_ratio AS "/DLD Ratio(%)", wld_ratio AS "/WLD Ratio(%)",
  CASE WHEN bound_by = 0 AND :style = 'vendor' THEN 0 ELSE memory_bound END AS "Memory Bound",
  round(decimal(total_bytes, 1000, 2) / 1024.0 / 1024.0 * CAST(1e6 / time_us AS INT), 4) AS "/BandWidth(GB/s)",
  decimal(read_bytes, 1000, 2) AS "DDR Read(KB)", decimal(write_bytes, 1000, 2) AS "/DDR Write(KB)",
  decimal(total_bytes, 1000, 2) AS "/DDR Total(KB)"
FROM metric
-- @why
SELECT CASE
  WHEN EXISTS (SELECT 1 FROM note WHERE kind = 'layout') THEN 'the bytes of data/ do not fit their layout (see below)'
  WHEN EXISTS (SELECT 1 FROM device WHERE collector = 'host') THEN 'host-only job: no AA Core data'
  WHEN EXISTS (SELECT 1 FROM source WHERE target = 'aicore_task') THEN 'the aicore files hold no record'
  ELSE 'no aicore.* (AAcore.*) file in data/; was the model converted with --online_model_type=2?' END
