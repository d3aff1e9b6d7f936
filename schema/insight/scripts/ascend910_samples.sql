-- An operator is described for each of its tasks: equal names are one operator.
CREATE TEMP TABLE sample_name AS SELECT id AS op_id, min(id) OVER (PARTITION BY name, type) AS name_id FROM hwts_op;
CREATE UNIQUE INDEX temp.sample_name_by_op ON sample_name(op_id);
