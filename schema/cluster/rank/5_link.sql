-- What moved between two ranks over one kind of link.
-- @family prof
-- @style any
-- @title link
-- @facts
-- @each
SELECT 1 AS _any
-- @rows
SELECT t.device_id, h.local_rank AS source, h.remote_rank AS target,
  coalesce((SELECT k.name FROM hccl_kind k WHERE k.what = 'link' AND k.kind = h.link_type), 'unknown') AS link,
  coalesce((SELECT k.name FROM hccl_kind k WHERE k.what = 'transport' AND k.kind = h.transport_type), 'unknown') AS transport, count(*) AS transfers,
  total_int(h.size) AS bytes, total_int(t.dur_ns) AS ns
FROM comm_task c CROSS JOIN hccl_info h ON h.rowid = c.info_row CROSS JOIN task t ON t.id = c.id
WHERE h.size > 0 AND h.remote_rank <> h.local_rank AND h.remote_rank < 4294967295 AND t.dur_ns > 0
GROUP BY t.device_id, h.local_rank, h.remote_rank, h.link_type, h.transport_type
