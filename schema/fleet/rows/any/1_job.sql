-- What is known of a job as a whole.
-- @title job
-- @types text text text? text text? int? text? text? int? int? int int
-- @each
SELECT 1 AS _one
-- @rows
SELECT :run AS run, :name AS name, :label AS label, family, host, rank, driver, chip, started_ns, wall_offset_ns, devices, damaged FROM temp.aggregate_job
