-- One row for each inference with recorded AI Core tasks: the parts of its name, and the rows of its tasks. `ticks` times _cycles, divided by _rate, are
-- microseconds; a tick has _tick parts of a cycle, in which counters are. _shown is 1 and _percent 100, or NULL where counters cannot be true.
WITH run AS (
  SELECT i.device_id,
    coalesce(i.model, (SELECT substr(s.file, 6) FROM source s WHERE s.target = 'aicore_task' AND s.first_row = i.first_row
                         AND s.records > 0)) AS model,
    i.model_id, i.batch, i.input_pic_num, i.current_pic, d.frequency_mhz AS frequency,
    CASE WHEN i.cache_hit + i.cache_miss > 0 THEN printf('%.6f', 1.0 * i.cache_miss / (i.cache_hit + i.cache_miss)) ELSE 'N/A' END AS icache_miss_rate,
    i.rowid AS _inference, i.first_row AS _first, i.last_row AS _last, i.net_id AS _net, i.tasks AS _rows,
    i.ticks AS _ticks, p.tick AS _tick, 9223372036854775807 / max(p.tick, 100) AS _most, p.cycles AS _cycles, d.frequency_mhz * p.ticks AS _rate,
    c.shown AS _shown, 100 * c.shown AS _percent
  FROM inference i CROSS JOIN parts p CROSS JOIN counters c LEFT JOIN device d ON d.device_id = i.device_id
)
