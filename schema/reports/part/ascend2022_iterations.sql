-- The iterations of :_model, or only the iteration :_only; n counts from 0. Each iteration has three tracks.
WITH iteration AS (
  SELECT x.*, s.counter_mhz, row_number() OVER (ORDER BY x.id) - 1 AS n,
    (x.start_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns AS start,
    (x.end_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns AS stop,
    (x.fp_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns AS fp,
    (x.bp_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns AS bp
  FROM step x JOIN setting s ON s.device_id = x.device_id
  WHERE x.device_id = :device_id AND x.model_id = :_model AND x.id = coalesce(:_only, x.id)
), track(track) AS (VALUES (0), (1), (2))
