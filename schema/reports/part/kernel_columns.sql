-- The columns of kernel_details: those of op_summary under other titles, with the step. The lowest level has some of them.
, kernel_column AS (
  SELECT part, core, place, term, CASE title WHEN 'Op Name' THEN 'Name' WHEN 'OP Type' THEN 'Type' WHEN 'Task Type' THEN 'Accelerator Core' WHEN 'Task Start Time(us)' THEN 'Start Time(us)'
    WHEN 'Task Duration(us)' THEN 'Duration(us)' WHEN 'Task Wait Time(us)' THEN 'Wait Time(us)' ELSE title END AS title
  FROM op_column WHERE (SELECT level FROM temp.profile) <> 'Level0' OR part < 0 AND title NOT IN ('Model ID', 'Task ID', 'Stream ID', 'OP State', 'Mix Block Num', 'HF32 Eligible', 'Context ID')
)
