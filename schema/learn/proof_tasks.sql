-- The tasks of the inferences that the name of a reference tells; -1 and '' stand for what the name does not tell. Cycles and counters are as
-- reports add them up: rate a microsecond.
WITH chosen AS (
  SELECT s.target, s.first_row, s.last_row, s.net_id, d.frequency_mhz, d.frequency_mhz * p.both AS rate,
    CASE s.target WHEN 'aicore_task' THEN p.both / p.core ELSE p.both / p.cpu END AS parts
  FROM source s CROSS JOIN parts p LEFT JOIN device d ON d.device_id = s.device_id
  WHERE s.target IN ('aicore_task', 'aicpu_task') AND s.records > 0
    AND (:device_id < 0 OR coalesce(s.device_id, :device_id) = :device_id)
    AND (:model_id < 0 OR coalesce(s.model_id, :model_id) = :model_id)
    AND (:model = '' OR coalesce(s.model, :model) = :model)
    AND (:batch < 0 OR coalesce(s.batch, :batch) = :batch)
    AND (:input_pic_num < 0 OR coalesce(s.input_pic_num, :input_pic_num) = :input_pic_num)
    AND (:current_pic < 0 OR coalesce(s.current_pic, :current_pic) = :current_pic)
)
SELECT 0 AS kind, t.task_id, t.stream_id, t.start_ns, t.start_tick, t.dur_ns, coalesce(t.cycles, (t.end_tick - t.start_tick) * 100) * c.parts AS cycles,
  c.net_id, c.frequency_mhz, c.rate, t.mac_busy * c.parts, t.mac_ppen * c.parts, t.vec_busy * c.parts, t.vec_ppen * c.parts, t.dstr * c.parts,
  t.dtrans * c.parts, t.dld * c.parts, t.wld * c.parts, t.ddr_read_bytes, t.ddr_write_bytes
FROM chosen c CROSS JOIN aicore_task t WHERE c.target = 'aicore_task' AND t.rowid BETWEEN c.first_row AND c.last_row
UNION ALL
SELECT 1, t.task_id, t.stream_id, t.start_ns, t.start_tick, t.dur_ns, coalesce(t.cycles, (t.end_tick - t.start_tick) * 100) * c.parts,
  c.net_id, c.frequency_mhz, c.rate, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM chosen c CROSS JOIN aicpu_task t WHERE c.target = 'aicpu_task' AND t.rowid BETWEEN c.first_row AND c.last_row
