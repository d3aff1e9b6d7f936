-- What torch_npu's analysis.db has: what each step did, from the tables of pytorch_steps.sql.
CREATE TABLE out.StepTraceTime (deviceId INTEGER, step TEXT, computing NUMERIC, communication_not_overlapped NUMERIC, overlapped NUMERIC, communication NUMERIC, free NUMERIC,
  stage NUMERIC, bubble NUMERIC, communication_not_overlapped_and_exclude_receive NUMERIC, preparing NUMERIC);
INSERT INTO out.StepTraceTime
SELECT device, step, computing / 1000.0, alone / 1000.0, (communication - alone) / 1000.0, communication / 1000.0, free / 1000.0, stage / 1000.0, bubble / 1000.0,
  max(alone - bubble, 0) / 1000.0, preparing / 1000.0
FROM temp.trace_step ORDER BY device, id;

-- What collectives moved, in the tables of analysis.sql: with the step in which an operation began, and its kind. Those of no step are left out.
-- @when NOT EXISTS (SELECT 1 FROM temp.communication UNION ALL SELECT 1 FROM temp.communication_matrix)
DROP TABLE out.CommAnalyzerTime;
DROP TABLE out.CommAnalyzerBandwidth;
DROP TABLE out.CommAnalyzerMatrix;
-- @end
-- @when EXISTS (SELECT 1 FROM temp.communication UNION ALL SELECT 1 FROM temp.communication_matrix)
DELETE FROM temp.collective_range;
INSERT INTO temp.collective_range SELECT id, step, start_ns, end_ns FROM temp.db_step;
CREATE TEMP TABLE collective AS
SELECT c.key, 'step' || coalesce(r.step, '') AS step, coalesce(c.kind, '') AS kind FROM temp.collective_step c JOIN temp.collective_range r ON r.id = c.id;
CREATE INDEX temp.collective_by_key ON collective(key);
ALTER TABLE out.CommAnalyzerTime ADD COLUMN step TEXT;
ALTER TABLE out.CommAnalyzerTime ADD COLUMN type TEXT;
UPDATE out.CommAnalyzerTime AS t SET step = c.step, type = c.kind FROM temp.collective c WHERE c.key = t.hccl_op_name || '@' || t.group_name;
DELETE FROM out.CommAnalyzerTime WHERE step IS NULL;
ALTER TABLE out.CommAnalyzerBandwidth ADD COLUMN step TEXT;
ALTER TABLE out.CommAnalyzerBandwidth ADD COLUMN type TEXT;
UPDATE out.CommAnalyzerBandwidth AS t SET step = c.step, type = c.kind FROM temp.collective c WHERE c.key = t.hccl_op_name || '@' || t.group_name;
DELETE FROM out.CommAnalyzerBandwidth WHERE step IS NULL;

-- Links in the order of the operations. A type without a name of its own bears that of its operation.
CREATE TEMP TABLE by_start AS SELECT m.key, m.json FROM temp.communication c JOIN temp.communication_matrix m ON m.key = c.key ORDER BY c.rowid;
DELETE FROM temp.communication_matrix;
INSERT INTO temp.communication_matrix SELECT * FROM temp.by_start;
DELETE FROM out.CommAnalyzerMatrix;
ALTER TABLE out.CommAnalyzerMatrix ADD COLUMN step TEXT;
ALTER TABLE out.CommAnalyzerMatrix ADD COLUMN type TEXT;
ALTER TABLE out.CommAnalyzerMatrix ADD COLUMN op_name TEXT;
INSERT INTO out.CommAnalyzerMatrix
SELECT substr(e.type, 1, instr(e.type || '@', '@') - 1) || e.part, e.step_group, substr(e.link, 1, instr(e.link, '-') - 1), substr(e.link, instr(e.link, '-') + 1),
  e.json ->> 'Transport Type', e.json ->> 'Transit Size(MB)', e.json ->> 'Transit Time(ms)', e.json ->> 'Bandwidth(GB/s)', 'step' || coalesce(r.step, ''), e.kind,
  coalesce(e.json ->> 'Op Name', '')
FROM temp.matrix_entry e JOIN temp.collective_range r ON r.id = e.id
ORDER BY min(e.first) OVER (PARTITION BY e.id), e.kind DESC, min(e.first * 8 + e.slot) OVER (PARTITION BY e.id, e.kind, e.type, e.part, e.step_group), e.first;
-- @end
