-- One row for each inference whose AA Core tasks were recorded: name parts, and the rows of aicore_task that are its.
WITH inference AS (
  SELECT s.device_id, s.model, s.model_id, s.batch, s.input_pic_num, s.current_pic, d.frequency_mhz AS frequency,
    min(s.first_row) AS _first, max(s.last_row) AS _last, max(s.net_id) AS _net, sum(s.records) AS _rows
  FROM source s LEFT JOIN device d ON d.device_id = s.device_id
  WHERE s.target = 'aicore_task' AND s.records > 0
  GROUP BY s.device_id, s.model, s.model_id, s.batch, s.input_pic_num, s.current_pic
)
