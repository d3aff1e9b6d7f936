-- The total of one inference, row :_inference of the table inference, followed by its tasks, rows :_first.._last of
-- aicore_task. See inferences for the other parameters.
WITH line AS (
  SELECT 1 AS total, NULL AS task_id, NULL AS seg_id, '-' AS layer_ids, '-' AS oris, '-' AS names, '-' AS types, max(min(ticks, :_most), -:_most) AS ticks,
    mac_busy, mac_ppen, vec_busy, vec_ppen, dstr, dtrans, dld, wld, ddr_read_bytes, ddr_write_bytes
  FROM inference WHERE rowid = :_inference
  UNION ALL
  SELECT 0, t.task_id, t.seg_id, o.layer_ids, o.oris, o.names, o.types, max(min(t.ticks, :_most), -:_most),
    t.mac_busy, t.mac_ppen, t.vec_busy, t.vec_ppen, t.dstr, t.dtrans, t.dld, t.wld, t.ddr_read_bytes, t.ddr_write_bytes
  FROM aicore_task t LEFT JOIN op o ON o.net_id = :_net AND o.task_id = t.task_id AND o.seg_id = t.seg_id
  WHERE t.rowid BETWEEN :_first AND :_last
), metric AS (
  SELECT total, task_id, seg_id, layer_ids, oris, names, types,
    decimal(ticks * :_cycles, :_rate, 2) AS time_us,
    decimal(ticks * 100, :_ticks, 2) AS time_ratio,
    decimal(mac_busy * :_percent, ticks * :_tick, 2) AS mac_busy_ratio, decimal(mac_ppen * :_percent, ticks * :_tick, 2) AS mac_ppen_ratio,
    decimal(vec_busy * :_percent, ticks * :_tick, 2) AS vec_busy_ratio, decimal(vec_ppen * :_percent, ticks * :_tick, 2) AS vec_ppen_ratio,
    decimal(dstr * :_percent, ticks * :_tick, 2) AS dstr_ratio, decimal(dtrans * :_percent, ticks * :_tick, 2) AS dtrans_ratio,
    decimal(dld * :_percent, ticks * :_tick, 2) AS dld_ratio, decimal(wld * :_percent, ticks * :_tick, 2) AS wld_ratio,
    decimal(max(dstr, dld, wld) * :_shown, max(mac_busy, vec_ppen), 2) AS memory_bound,
    max(mac_busy, vec_ppen) * :_shown AS bound_by,
    ddr_read_bytes * :_shown AS read_bytes, ddr_write_bytes * :_shown AS write_bytes, (ddr_read_bytes + ddr_write_bytes) * :_shown AS total_bytes
  FROM line
)
