-- Numbers of texts below /proc/umap that changed.
-- @each
SELECT 'Board, ' || n.name AS track, a.shift_ns AS _shift, a.begin_ns AS _begin, n.id AS _id, n.kind AS _kind
FROM (SELECT * FROM board_number ORDER BY id LIMIT 24) n CROSS JOIN temp.board_axis a
-- @rows
SELECT max(s.time_ns + :_shift, :_begin) AS time_ns, CASE :_kind WHEN 'level' THEN v.value END AS "Number()", CASE :_kind WHEN 'percent' THEN v.value END AS "Share(%)",
  CASE :_kind WHEN 'kb' THEN v.value END AS "Size(KiB)", CASE :_kind WHEN 'mb' THEN v.value END AS "Size(MiB)"
FROM board_value v JOIN board_sample s ON s.id = v.sample_id
WHERE v.series_id = :_id AND s.id >= (SELECT max(id) FROM board_sample WHERE phase = 'before')
