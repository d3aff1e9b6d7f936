-- What databases before schema 4 have in place of tables of today: their rows are copied into these tables, and older.sql moves them.
CREATE TEMP TABLE older_aicore_task(
  task_id, stream_id, start_tick, end_tick, start_ns, dur_ns, mac_busy, mac_ppen, vec_busy, vec_ppen, dstr, dtrans, dld, wld,
  ddr_read_bytes, ddr_write_bytes, icache_miss, icache_access, cycles
);
CREATE TEMP TABLE older_aicpu_task(task_id, stream_id, start_ns, dur_ns, cycles);
CREATE TEMP TABLE older_layer(net_id, task_id, stream_id, position, layer_id, name, type, ori);
CREATE TEMP TABLE older_op(net_id, task_id, stream_id, layer_count, layer_ids, names, types, oris);
