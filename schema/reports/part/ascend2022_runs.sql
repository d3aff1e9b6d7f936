-- The tasks of exports of :device_id and :_step in order of start. Times are computed like in the reference, in doubles of ns,
-- those that the AI CPU recorded from doubles of ms. `described`: the operator of the task is known and runs on its unit.
-- name is that of tracks: of operators of dynamic shape the last one with the stream, task and batch.
-- total_ms is the time of the AI core, in rounds of blocks; without any operator the reference prints batches there.
WITH run AS (
  SELECT t.id, unit, t.stream_id, t.task_id, batch_id, t.op_id, pmu_row, node_row, aic_mhz, chip, model_id, block_dim, kind, same_kind, described,
    CASE WHEN described AND iteration <> 0 THEN (SELECT word('op', 'name', x.op_id) FROM op_last x
        WHERE x.device_id = :device_id AND x.stream_id = t.stream_id AND x.task_id = t.task_id AND x.batch_id = t.batch_id AND x.task_type = t.kind)
      WHEN described THEN op_name END AS name, op_name, op_type, op_hash, CASE WHEN described THEN kind ELSE 'Other' END AS type,
    first, last, CASE unit WHEN 0 THEN first ELSE first * 1000000.0 END AS start,
    CASE unit WHEN 0 THEN last - first ELSE (last - first) * 1000000.0 END AS dur, p.total_cycles AS cycles,
    CASE WHEN NOT is_job_described THEN batch_id + 0 * p.total_cycles WHEN blocks = 0 THEN 0 * p.total_cycles
      ELSE rounded(p.total_cycles * 1000.0 / (aic_mhz * 1000000.0) / blocks * ((blocks + aic_num - 1) / aic_num), 6) END AS total_ms
  FROM (
    SELECT *, coalesce(op_kind = kind, 0) AS same_kind, coalesce(op_kind = kind AND (unit = 0 OR stars OR op_batch = batch_id), 0) AS described FROM (
    SELECT t.id, t.unit, t.stream_id, t.task_id, t.batch_id, t.op_id, t.pmu_row, t.node_row, s.aic_mhz, s.aic_num, s.chip, s.stars, o.model_id, o.iteration, o.block_dim,
      coalesce(o.block_dim, 1) AS blocks,
      o.name AS op_name, o.type AS op_type, o.task_type AS op_kind, o.batch_id AS op_batch,
      CASE WHEN s.stars THEN o.type ELSE coalesce(o.type_hash, o.type) END AS op_hash, EXISTS (SELECT 1 FROM op) AS is_job_described,
      CASE WHEN t.unit THEN 'AI_CPU' WHEN s.stars AND o.task_type IN ('AI_VECTOR_CORE', 'MIX_AIC', 'MIX_AIV') THEN o.task_type ELSE 'AI_CORE' END AS kind,
      (t.start_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * CASE t.unit WHEN 0 THEN 1e9 ELSE 1000.0 END
        + s.host_ns / 1e9 * CASE t.unit WHEN 0 THEN 1e9 ELSE 1000.0 END AS first,
      (t.end_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * CASE t.unit WHEN 0 THEN 1e9 ELSE 1000.0 END
        + s.host_ns / 1e9 * CASE t.unit WHEN 0 THEN 1e9 ELSE 1000.0 END AS last
    FROM task t JOIN setting s ON s.device_id = t.device_id LEFT JOIN op o ON o.id = t.op_id
    WHERE t.device_id = :device_id AND t.step_id IS :_step AND t.unit IS NOT NULL)
  ) t LEFT JOIN aicore_pmu p ON p.rowid = t.pmu_row
)
