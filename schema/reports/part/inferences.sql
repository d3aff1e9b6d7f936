-- One row for each inference with recorded AA Core tasks: the parts of its name, and the rows of its tasks. Its cycles are _rate a microsecond.
WITH run AS (
  SELECT i.device_id,
    coalesce(i.model, (SELECT substr(s.file, 6) FROM source s WHERE s.target = 'aicore_task' AND s.first_row = i.first_row
                         AND s.records > 0)) AS model,
    i.model_id, i.batch, i.input_pic_num, i.current_pic, d.frequency_mhz AS frequency, d.frequency_mhz * p.core AS _rate,
    printf('%.6f', coalesce(1.0 * i.icache_miss / nullif(i.icache_access, 0), 0)) AS icache_miss_rate,
    i.rowid AS _inference, i.first_row AS _first, i.last_row AS _last, i.net_id AS _net, i.tasks AS _rows,
    coalesce(i.cycles, i.ticks * 100) AS _cycles
  FROM inference i CROSS JOIN parts p LEFT JOIN device d ON d.device_id = i.device_id
)
