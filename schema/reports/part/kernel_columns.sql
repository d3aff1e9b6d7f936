-- The columns of kernel_details: those of op_summary under other titles, behind the step. The lowest level has some of them. Where collectives are
-- among the rows (_collective), the step is that of the start.
, kernel_column AS (
  SELECT part, core, place, term, CASE title WHEN 'Op Name' THEN 'Name' WHEN 'OP Type' THEN 'Type' WHEN 'Task Type' THEN 'Accelerator Core' WHEN 'Task Start Time(us)' THEN 'Start Time(us)'
    WHEN 'Task Duration(us)' THEN 'Duration(us)' WHEN 'Task Wait Time(us)' THEN 'Wait Time(us)' ELSE title END AS title
  FROM op_column WHERE (SELECT level FROM temp.profile) <> 'Level0' OR part < 0 AND title NOT IN ('Model ID', 'Task ID', 'Stream ID', 'OP State', 'Mix Block Num', 'HF32 Eligible', 'Context ID')
  UNION ALL
  SELECT -2, '', 0, CASE WHEN :_collective THEN 'coalesce((SELECT step FROM temp.step_range r WHERE operator.start_ns + :_wall >= r.start_ns'
      || ' AND operator.start_ns + :_wall < r.end_ns ORDER BY r.id LIMIT 1), '''')'
    ELSE 'coalesce(word(''kernel_step'', ''step'', id), '''')' END, 'Step Id' WHERE EXISTS (SELECT 1 FROM temp.step_range)
)
