-- The host's part of an iteration, after run: the n-th execute call executes the n-th iteration of the device. Its calls are
-- those that start from this call on until the device's tasks end, which are those of iteration n of its model only.
, host AS (
  SELECT c.rowid AS row, c.name, c.start_ns, c.dur_ns FROM source s CROSS JOIN api_call c
  WHERE s.target = 'api_call' AND s.device_id = :device_id AND c.rowid BETWEEN s.first_row AND s.last_row
), stack AS (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY name ORDER BY row) AS n FROM host WHERE name IN ('aclmdlExecute', 'aclopExecute'))
  WHERE n = :_n ORDER BY name LIMIT 1
), scheduled AS (
  SELECT start, last_start + last_dur - start AS dur, start = CAST(start AS INTEGER) AND last_start = CAST(last_start AS INTEGER)
    AND last_dur = CAST(last_dur AS INTEGER) AS is_whole
  FROM (SELECT (SELECT run.start FROM run ORDER BY id LIMIT 1) AS start, last.start AS last_start, last.dur AS last_dur
        FROM (SELECT * FROM run ORDER BY start DESC, id LIMIT 1) last)
  WHERE :_n = :_iteration
)
-- The n-th record of phases belongs to the n-th iteration, too.
, phase AS (
  SELECT p.column2 AS name, pick(p.column1, input_ns, infer_ns, output_ns) AS start_ns, pick(p.column1, input_dur_ns, infer_dur_ns, output_dur_ns) AS dur_ns
  FROM (SELECT x.* FROM source s CROSS JOIN model_time x WHERE s.target = 'model_time' AND s.device_id = :device_id AND x.rowid BETWEEN s.first_row AND s.last_row
        ORDER BY x.rowid LIMIT 1 OFFSET :_n - 1) CROSS JOIN (VALUES (0, 'Input'), (1, 'Infer'), (2, 'Output')) p
)
