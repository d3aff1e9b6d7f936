-- Files of tasks by models of a device, and runs: rows next to each other that are of one model and stream. Inferences of several models may take
-- turns in a file of the board; else a model has one run for each stream and processor.
WITH file AS (
  SELECT s.id, s.target, s.device_id, s.model, s.model_id, s.batch, s.stream_id, s.net_id, s.first_row, s.last_row, s.records,
    dense_rank() OVER (ORDER BY s.device_id, s.model, s.model_id, s.batch) AS process
  FROM source s JOIN device d ON d.device_id = s.device_id
  WHERE s.target IN ('aicore_task', 'aicpu_task') AND s.records > 0 AND (s.target = 'aicpu_task' OR d.frequency_mhz IS NOT NULL)
    {device s.device_id}{model s.model_id}{step s.current_pic}
), run AS (
  SELECT target, process, device_id, model, model_id, batch, stream_id, max(net_id) AS net_id, min(first_row) AS first_row, max(last_row) AS last_row,
    total_int(records) AS rows, group_concat(id) AS files
  FROM (SELECT *, total(begins) OVER w AS number
        FROM (SELECT *, process <> lag(process) OVER w OR stream_id IS NOT lag(stream_id) OVER w OR first_row <> lag(last_row) OVER w + 1 AS begins
              FROM file WINDOW w AS (PARTITION BY target ORDER BY first_row))
        WINDOW w AS (PARTITION BY target ORDER BY first_row))
  GROUP BY target, number
)
