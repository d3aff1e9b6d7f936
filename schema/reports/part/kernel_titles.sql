-- Titles of op_summary that torch_npu leaves out, and those that it names in another way.
SELECT 'Step Id', NULL WHERE NOT EXISTS (SELECT 1 FROM temp.step_range)
UNION ALL SELECT column1, column2 FROM (VALUES ('Op Name', 'Name'), ('OP Type', 'Type'), ('Task Type', 'Accelerator Core'), ('Task Start Time(us)', 'Start Time(us)'),
  ('Task Duration(us)', 'Duration(us)'), ('Task Wait Time(us)', 'Wait Time(us)'))
UNION ALL SELECT column1, NULL FROM (VALUES ('Model ID'), ('Task ID'), ('Stream ID'), ('OP State'), ('Mix Block Num'), ('HF32 Eligible'), ('Context ID'))
  WHERE (SELECT level FROM temp.profile) = 'Level0'
