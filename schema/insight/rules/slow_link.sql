-- @family prof
-- @title Slow link between cards
-- @needs tasks
-- @advice Compare the cable, the switch port and the state of this link with those of the others; move the ranks, if other traffic shares it.
-- @start the slow link: {subject}
-- @source less than {link_factor} of the median of the links of the same kind, of at least {least_links} links; packets of at least {sdma_bytes} bytes by SDMA, {rdma_bytes} by RDMA: ours
-- @formula time on the link x (1 - its bytes a second / their median)
-- @each
WITH link AS (
  SELECT t.device_id, h.transport_type AS kind, h.local_rank, h.remote_rank, count(*) AS packets, total_int(h.size) AS bytes, total_int(t.dur_ns) AS ns,
    1.0 * total_int(h.size) / total_int(t.dur_ns) AS rate
  FROM comm_task c CROSS JOIN task t ON t.id = c.id CROSS JOIN hccl_info h ON h.rowid = c.info_row
  WHERE h.transport_type IN (0, 1) AND h.remote_rank < 4294967295 AND h.remote_rank <> h.local_rank AND t.dur_ns > 0
    AND h.size >= CASE h.transport_type WHEN 0 THEN :sdma_bytes ELSE :rdma_bytes END
  GROUP BY t.device_id, h.transport_type, h.local_rank, h.remote_rank
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY device_id, kind ORDER BY rate, remote_rank) AS rank, count(*) OVER (PARTITION BY device_id, kind) AS links FROM link
), judged AS (
  SELECT *, max(rate) FILTER (WHERE rank <= (links + 1) / 2) OVER (PARTITION BY device_id, kind) AS median FROM ranked
)
SELECT say('subject.link', 'kind', CASE j.kind WHEN 0 THEN 'SDMA' ELSE 'RDMA' END, 'from', j.local_rank, 'to', j.remote_rank) AS subject, p.mean_ns AS step_ns,
  j.ns / p.steps AS time_ns, CAST(j.ns / p.steps * (1 - j.rate / j.median) AS INTEGER) AS saving_ns, 'medium' AS confidence, j.packets AS _packets, j.bytes AS _bytes,
  j.rate AS _rate, j.median AS _median, j.links AS _links, j.device_id AS _grp
FROM judged j JOIN temp.pace p ON p.grp = j.device_id
WHERE j.links >= :least_links AND j.rate < :link_factor * j.median ORDER BY 4 DESC, j.device_id, j.kind, j.remote_rank
-- @rows
SELECT :_packets AS "Packets", :_bytes AS "Bytes", rounded(:_rate, 3) AS "GB/s", rounded(:_median, 3) AS "Median(GB/s)", :_links AS "Links of its kind"
-- @why
SELECT say('why.links', 'count', CAST(:least_links AS INTEGER))
WHERE NOT EXISTS (SELECT 1 FROM comm_task c CROSS JOIN task t ON t.id = c.id CROSS JOIN hccl_info h ON h.rowid = c.info_row
  WHERE h.transport_type IN (0, 1) AND h.remote_rank < 4294967295 AND h.remote_rank <> h.local_rank AND t.dur_ns > 0
    AND h.size >= CASE h.transport_type WHEN 0 THEN :sdma_bytes ELSE :rdma_bytes END
  GROUP BY t.device_id, h.transport_type HAVING count(DISTINCT h.remote_rank) >= :least_links)
