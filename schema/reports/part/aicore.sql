-- The total of one inference, row :_inference of the table inference, followed by its tasks, rows :_first.._last of
-- aicore_task. A microsecond has :_rate cycles, or parts of cycles; a tick is 100 cycles.
WITH line AS (
  SELECT 1 AS total, NULL AS task_id, NULL AS stream_id, '-' AS layer_ids, '-' AS oris, '-' AS names, '-' AS types,
    coalesce(cycles, ticks * 100) AS cycles, mac_busy, mac_ppen, vec_busy, vec_ppen, dstr, dtrans, dld, wld,
    ddr_read_bytes AS read_bytes, ddr_write_bytes AS write_bytes
  FROM inference WHERE rowid = :_inference
  UNION ALL
  SELECT 0, t.task_id, t.stream_id, o.layer_ids, o.oris, o.names, o.types, coalesce(t.cycles, max(min(t.end_tick - t.start_tick, 92233720368547758), -92233720368547758) * 100),
    t.mac_busy, t.mac_ppen, t.vec_busy, t.vec_ppen, t.dstr, t.dtrans, t.dld, t.wld,
    t.ddr_read_bytes, t.ddr_write_bytes
  FROM aicore_task t LEFT JOIN op o ON o.net_id = :_net AND o.task_id = t.task_id AND o.stream_id = t.stream_id
  WHERE t.rowid BETWEEN :_first AND :_last
), metric AS (
  SELECT total, task_id, stream_id, layer_ids, oris, names, types, cycles,
    decimal(cycles, :_rate, 2) AS time_us,
    decimal(cycles * 100, :_cycles, 2) AS time_ratio,
    decimal(mac_busy * 100, cycles, 2) AS mac_busy_ratio, decimal(mac_ppen * 100, cycles, 2) AS mac_ppen_ratio,
    decimal(vec_busy * 100, cycles, 2) AS vec_busy_ratio, decimal(vec_ppen * 100, cycles, 2) AS vec_ppen_ratio,
    decimal(dstr * 100, cycles, 2) AS dstr_ratio, decimal(dtrans * 100, cycles, 2) AS dtrans_ratio,
    decimal(dld * 100, cycles, 2) AS dld_ratio, decimal(wld * 100, cycles, 2) AS wld_ratio,
    decimal(max(dstr, dld, wld), max(mac_busy, vec_ppen), 2) AS memory_bound,
    max(mac_busy, vec_ppen) AS bound_by,
    read_bytes, write_bytes, read_bytes + write_bytes AS total_bytes
  FROM line
)
