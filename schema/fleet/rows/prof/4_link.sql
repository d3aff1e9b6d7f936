-- What moved between two ranks over one kind of link. Without a size or a time nothing is known of its speed.
-- @title link
-- @family prof
-- @style any
-- @types int int text? text? int int int real
-- @each
SELECT 1 AS _one
-- @rows
SELECT h.local_rank AS source_rank, h.remote_rank AS target_rank,
  (SELECT k.name FROM hccl_kind k WHERE k.what = 'link' AND k.kind = h.link_type) AS link,
  (SELECT k.name FROM hccl_kind k WHERE k.what = 'transport' AND k.kind = h.transport_type) AS transport, count(*) AS transfers,
  total_int(h.size) AS bytes, total_int(t.dur_ns) AS total_ns, max(1.0 * h.size / t.dur_ns) AS best_gbs
FROM comm_task c CROSS JOIN hccl_info h ON h.rowid = c.info_row CROSS JOIN task t ON t.id = c.id
WHERE h.size > 0 AND h.remote_rank <> h.local_rank AND h.remote_rank <> 4294967295 AND t.dur_ns > 0
GROUP BY h.local_rank, h.remote_rank, h.link_type, h.transport_type
