-- The iterations of the device, or only the iteration :_only; n counts from 0, model from 0 too. Each iteration has three tracks.
WITH iteration AS (
  SELECT x.*, s.counter_mhz, row_number() OVER (ORDER BY x.end_counter, x.id) - 1 AS n,
    s.pid + dense_rank() OVER (ORDER BY x.model_id) - 1 AS model_pid,
    (x.end_counter - x.start_counter) * (1000000.0 / (s.counter_mhz * 1000000.0)) AS dur,
    (x.end_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000.0 + s.host_ns / 1e9 * 1000000.0 AS stop,
    (x.fp_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000.0 + s.host_ns / 1e9 * 1000000.0 AS fp,
    (x.bp_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000.0 + s.host_ns / 1e9 * 1000000.0 AS bp
  FROM step x JOIN setting s ON s.device_id = x.device_id
  WHERE x.device_id = :device_id AND x.id = coalesce(:_only, x.id)
), track(track) AS (VALUES (0), (1), (2))
