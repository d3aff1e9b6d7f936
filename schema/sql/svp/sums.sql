-- Sums, computed once after all records are loaded. An older database, which lacks some of them, gets all of them when it is read.

DELETE FROM inference;

-- Sums by file come first, which needs no sort; files of the same identity are adjacent.
INSERT INTO inference
SELECT s.device_id, s.model, s.model_id, s.stream_id, s.batch, s.input_pic_num, s.current_pic,
  max(s.net_id), min(s.first_row), max(s.last_row), total_int(s.records), total_int(ticks),
  total_int(mac_busy),
  total_int(mac_ppen),
  total_int(vec_busy),
  total_int(vec_ppen),
  total_int(dstr),
  total_int(dtrans),
  total_int(dld),
  total_int(wld),
  total_int(ddr_read_bytes),
  total_int(ddr_write_bytes),
  total_int((SELECT m.value FROM marker_value m WHERE m.source_id = s.id AND m.key = 'cache_hit' AND typeof(m.value) = 'integer')),
  total_int((SELECT m.value FROM marker_value m WHERE m.source_id = s.id AND m.key = 'cache_mis' AND typeof(m.value) = 'integer')),
  min(start_ns),
  max(end_ns) - min(start_ns)
FROM source s JOIN (
  SELECT s.id, total_int(t.ticks) AS ticks,
    total_int(t.mac_busy) AS mac_busy,
    total_int(t.mac_ppen) AS mac_ppen,
    total_int(t.vec_busy) AS vec_busy,
    total_int(t.vec_ppen) AS vec_ppen,
    total_int(t.dstr) AS dstr,
    total_int(t.dtrans) AS dtrans,
    total_int(t.dld) AS dld,
    total_int(t.wld) AS wld,
    total_int(t.ddr_read_bytes) AS ddr_read_bytes,
    total_int(t.ddr_write_bytes) AS ddr_write_bytes,
    min(t.start_ns) AS start_ns,
    max(t.start_ns + max(t.dur_ns, 0)) AS end_ns
  FROM source s CROSS JOIN aicore_task t
  WHERE s.target = 'aicore_task' AND t.rowid BETWEEN s.first_row AND s.last_row
  GROUP BY s.id
) f ON f.id = s.id
GROUP BY s.device_id, s.model, s.model_id, s.batch, s.input_pic_num, s.current_pic, s.stream_id,
  CASE WHEN s.model IS NULL THEN s.id END; -- doubtful files are not added up
