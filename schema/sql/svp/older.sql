-- Runs on the rows of a database before schema 4. Its tasks had streams of their own, which stand in seg_id, and their sources have no stream.
-- @when EXISTS (SELECT 1 FROM temp.sqlite_schema WHERE name = 'older_aicore_task')
INSERT OR REPLACE INTO meta
SELECT 'older', CASE WHEN EXISTS (SELECT 1 FROM temp.older_aicore_task WHERE cycles IS NOT NULL) THEN 'cycles' ELSE 'ticks' END;
INSERT OR REPLACE INTO meta SELECT 'older_cpu', 'ticks' WHERE NOT EXISTS (SELECT 1 FROM temp.older_aicpu_task WHERE cycles IS NOT NULL);

INSERT INTO aicore_task(rowid, task_id, seg_id, ticks, start_ns, dur_ns, mac_busy, mac_ppen, vec_busy, vec_ppen, dstr, dtrans, dld, wld,
  ddr_read_bytes, ddr_write_bytes)
SELECT t.rowid, task_id, coalesce(stream_id, 0), CASE m.value WHEN 'cycles' THEN coalesce(cycles, max(min(end_tick - start_tick, 92233720368547758), -92233720368547758) * 100)
    ELSE end_tick - start_tick END, start_ns, dur_ns,
  mac_busy, mac_ppen, vec_busy, vec_ppen, dstr, dtrans, dld, wld, ddr_read_bytes, ddr_write_bytes
FROM temp.older_aicore_task t CROSS JOIN meta m ON m.key = 'older';
INSERT INTO marker_value
SELECT s.id, 'cache_mis', total_int(t.icache_miss) FROM source s CROSS JOIN temp.older_aicore_task t ON t.rowid BETWEEN s.first_row AND s.last_row
WHERE s.target = 'aicore_task' GROUP BY s.id
UNION ALL
SELECT s.id, 'cache_hit', total_int(t.icache_access) - total_int(t.icache_miss)
FROM source s CROSS JOIN temp.older_aicore_task t ON t.rowid BETWEEN s.first_row AND s.last_row WHERE s.target = 'aicore_task' GROUP BY s.id;

INSERT INTO layer SELECT net_id, task_id, stream_id, position, layer_id, name, type, replace(ori, char(31), ',') FROM temp.older_layer;
INSERT INTO op SELECT net_id, task_id, stream_id, layer_count, layer_ids, names, types, oris FROM temp.older_op;

CREATE TEMP TABLE older_cpu AS
SELECT s.id AS source_id, s.net_id, t.task_id, min(t.stream_id) AS stream_id FROM source s CROSS JOIN temp.older_aicpu_task t ON t.rowid BETWEEN s.first_row AND s.last_row
WHERE s.target = 'aicpu_task' GROUP BY 1, 2, 3;
INSERT INTO aicpu_task(rowid, task_id, start_ns, dur_ns) SELECT rowid, task_id, start_ns, dur_ns FROM temp.older_aicpu_task;
UPDATE source SET stream_id = (SELECT min(c.stream_id) FROM older_cpu c WHERE c.source_id = source.id) WHERE target = 'aicpu_task';
INSERT OR IGNORE INTO layer
SELECT l.net_id, l.task_id, -1, l.position, l.layer_id, l.name, l.type, replace(l.ori, char(31), ',')
FROM (SELECT DISTINCT net_id, task_id, stream_id FROM older_cpu) JOIN temp.older_layer l USING (net_id, task_id, stream_id);
INSERT OR IGNORE INTO op
SELECT o.net_id, o.task_id, -1, o.layer_count, o.layer_ids, o.names, o.types, o.oris
FROM (SELECT DISTINCT net_id, task_id, stream_id FROM older_cpu) JOIN temp.older_op o USING (net_id, task_id, stream_id);

DROP TABLE older_cpu;
DROP TABLE temp.older_aicore_task;
DROP TABLE temp.older_aicpu_task;
DROP TABLE temp.older_layer;
DROP TABLE temp.older_op;
-- @end
