-- What torch_npu's analysis.db has: what each step did, from the tables of pytorch_steps.sql.
CREATE TABLE out.StepTraceTime (deviceId INTEGER, step TEXT, computing NUMERIC, communication_not_overlapped NUMERIC, overlapped NUMERIC, communication NUMERIC, free NUMERIC,
  stage NUMERIC, bubble NUMERIC, communication_not_overlapped_and_exclude_receive NUMERIC, preparing NUMERIC);
INSERT INTO out.StepTraceTime
SELECT device, step, computing / 1000.0, alone / 1000.0, (communication - alone) / 1000.0, communication / 1000.0, free / 1000.0, stage / 1000.0, bubble / 1000.0,
  max(alone - bubble, 0) / 1000.0, preparing / 1000.0
FROM temp.trace_step ORDER BY device, id;
