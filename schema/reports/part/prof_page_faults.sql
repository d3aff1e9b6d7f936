-- Page faults of tasks, with their operators.
WITH task_fault AS (
  SELECT p.rowid AS row, s.device_id, p.stream_id, p.task_id, t.id, t.op_name, iif(p.event0 > 4294967295, 0, p.event0) AS faults
  FROM source s CROSS JOIN soc_pmu p
  LEFT JOIN (SELECT device_id, stream_id, task_id, op_name, min(id) AS id FROM task
    WHERE op_name IS NOT NULL AND (SELECT 1 FROM soc_pmu WHERE data_type = 4 LIMIT 1) GROUP BY 1, 2, 3) t
    ON t.device_id = s.device_id AND t.stream_id = p.stream_id AND t.task_id = p.task_id
  WHERE s.target = 'soc_pmu' AND p.rowid BETWEEN s.first_row AND s.last_row AND p.data_type = 4
)
