-- Cycles of sampled cores, from a sample to the next one of the core.
WITH core_use AS (
  SELECT * FROM (
    SELECT r.device_id, r.kind, r.core, r.at_ns, r.total_cycles AS cycles, c.mhz, r.at_ns - lag(r.at_ns) OVER (PARTITION BY r.device_id, r.kind, r.core ORDER BY r.row) AS span_ns
    FROM core_reading r JOIN setting c ON c.device_id = r.device_id WHERE c.mhz > 0)
  WHERE span_ns > 0
)
